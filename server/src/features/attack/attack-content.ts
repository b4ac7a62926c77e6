import { readFileSync } from 'node:fs';
import { z } from 'zod';

// What Tyrian knows of ATT&CK, from content/attack: identifiers, names, numbers and relations, no prose.
// `npm run attack-index` makes it from a bundle of MITRE.

const actor = {
  id: z.string(),
  name: z.string(),
  aliases: z.array(z.string()),
  techniques: z.array(z.string()),
  software: z.array(z.string()),
};

const contentSchema = z.object({
  version: z.string(),
  tactics: z.array(z.object({ id: z.string(), key: z.string(), name: z.string() })),
  techniques: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** Names of tactics. */
      tactics: z.array(z.string()),
      platforms: z.array(z.string()),
    }),
  ),
  groups: z.array(z.object(actor)),
  campaigns: z.array(
    z.object({ ...actor, first_seen: z.string(), last_seen: z.string(), groups: z.array(z.string()) }),
  ),
  software: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      aliases: z.array(z.string()),
      techniques: z.array(z.string()),
    }),
  ),
});
export type AttackContent = z.output<typeof contentSchema>;

/** MITRE asks for this wherever its names are shown. */
export const ATTACK_NOTICE =
  'Identifiers and names from MITRE ATT&CK®, © The MITRE Corporation. This work is reproduced and distributed with the permission of The MITRE Corporation.';

/** A group or a campaign. */
export interface Actor {
  readonly id: string;
  readonly name: string;
  readonly kind: 'group' | 'campaign';
  readonly aliases: readonly string[];
  readonly techniques: readonly string[];
  readonly software: readonly string[];
}

type Technique = AttackContent['techniques'][number];

/** The content with the ways in which it is asked. */
export interface AttackKnowledge extends AttackContent {
  readonly techniqueOf: ReadonlyMap<string, Technique>;
  /** Sub-techniques by their technique. */
  readonly subsOf: ReadonlyMap<string, readonly Technique[]>;
  /** Groups and campaigns by id. */
  readonly actors: ReadonlyMap<string, Actor>;
  readonly platforms: readonly string[];
  /** How many groups and campaigns use each technique; whoever uses a sub-technique uses the technique. */
  readonly users: ReadonlyMap<string, number>;
}

/** The technique of a sub-technique; of a technique itself. */
export const parentOf = (id: string): string => id.split('.')[0] ?? id;

export function knowledgeOf(content: AttackContent): AttackKnowledge {
  const subsOf = new Map<string, Technique[]>();
  for (const technique of content.techniques) {
    const parent = parentOf(technique.id);
    if (parent !== technique.id) subsOf.set(parent, [...(subsOf.get(parent) ?? []), technique]);
  }
  const actors: Actor[] = [
    ...content.groups.map((group) => ({ ...group, kind: 'group' as const })),
    ...content.campaigns.map((campaign) => ({ ...campaign, kind: 'campaign' as const })),
  ];
  return {
    ...content,
    subsOf,
    techniqueOf: new Map(content.techniques.map((technique) => [technique.id, technique])),
    actors: new Map(actors.map((one) => [one.id, one])),
    platforms: [...new Set(content.techniques.flatMap(({ platforms }) => platforms))].sort(),
    users: usersOf(actors),
  };
}

function usersOf(actors: readonly Actor[]): ReadonlyMap<string, number> {
  const users = new Map<string, number>();
  for (const { techniques } of actors)
    for (const id of new Set(techniques.flatMap((one) => [one, parentOf(one)])))
      users.set(id, (users.get(id) ?? 0) + 1);
  return users;
}

const collator = new Intl.Collator('en');
/** By their English names. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  collator.compare(a.name, b.name);

let kept: AttackKnowledge | undefined;

/** What stands in content/attack; read once. */
export function attackKnowledge(): AttackKnowledge {
  const file = new URL('../../../../content/attack/enterprise-attack.json', import.meta.url);
  kept ??= knowledgeOf(contentSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
  return kept;
}
