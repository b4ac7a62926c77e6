import { z } from 'zod';
import type { AttackContent } from './attack-content.ts';

// Reads the facts of ATT&CK out of a STIX 2.1 bundle of MITRE: identifiers, names, numbers and relations. Prose is left
// where it is. What MITRE revoked or deprecated is left out, and a relation to something revoked goes to what replaced it.

const objectSchema = z.looseObject({
  type: z.string(),
  id: z.string(),
  name: z.string().optional(),
  revoked: z.boolean().optional(),
  x_mitre_deprecated: z.boolean().optional(),
  external_references: z
    .array(z.looseObject({ source_name: z.string(), external_id: z.string().optional() }))
    .optional(),
  // Tactics and their matrix.
  tactic_refs: z.array(z.string()).optional(),
  x_mitre_shortname: z.string().optional(),
  // Techniques.
  kill_chain_phases: z.array(z.looseObject({ phase_name: z.string() })).optional(),
  x_mitre_platforms: z.array(z.string()).optional(),
  // Groups, campaigns and software.
  aliases: z.array(z.string()).optional(),
  x_mitre_aliases: z.array(z.string()).optional(),
  first_seen: z.string().optional(),
  last_seen: z.string().optional(),
  // Relations.
  relationship_type: z.string().optional(),
  source_ref: z.string().optional(),
  target_ref: z.string().optional(),
  x_mitre_version: z.string().optional(),
});
type StixObject = z.output<typeof objectSchema>;

const bundleSchema = z.object({ type: z.literal('bundle'), objects: z.array(objectSchema) });

const externalId = (object: StixObject): string =>
  object.external_references?.find((ref) => ref.source_name === 'mitre-attack')?.external_id ?? '';

const isAlive = (object: StixObject): boolean => !object.revoked && !object.x_mitre_deprecated;

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

/**
 * The facts of a bundle. Throws ZodError when it is no bundle, Error when it holds no matrix.
 * `version`: what to say when the bundle names none.
 */
export function readStix(bundle: unknown, version = 'unknown'): AttackContent {
  const { objects } = bundleSchema.parse(bundle);
  const alive = (type: string) => objects.filter((object) => object.type === type && isAlive(object));
  const tactics = tacticsOf(objects);
  const nameOfKey = new Map(tactics.map((tactic) => [tactic.key, tactic.name]));
  const uses = usesOf(objects);
  const about = (object: StixObject) => ({
    id: externalId(object),
    name: object.name ?? '',
    aliases: (object.aliases ?? object.x_mitre_aliases ?? []).filter((alias) => alias !== object.name),
    techniques: uses(object.id, 'T'),
  });
  return {
    version: alive('x-mitre-collection')[0]?.x_mitre_version ?? version,
    tactics,
    techniques: alive('attack-pattern')
      .map((object) => ({
        id: externalId(object),
        name: object.name ?? '',
        tactics: (object.kill_chain_phases ?? []).flatMap(
          ({ phase_name }) => nameOfKey.get(phase_name) ?? [],
        ),
        platforms: [...(object.x_mitre_platforms ?? [])].sort(),
      }))
      .filter(({ id }) => id !== '')
      .sort(byId),
    groups: alive('intrusion-set')
      .map((object) => ({ ...about(object), software: uses(object.id, 'S') }))
      .sort(byId),
    campaigns: alive('campaign')
      .map((object) => ({
        ...about(object),
        first_seen: (object.first_seen ?? '').slice(0, 10),
        last_seen: (object.last_seen ?? '').slice(0, 10),
        groups: uses(object.id, 'G'),
        software: uses(object.id, 'S'),
      }))
      .sort(byId),
    software: [...alive('malware'), ...alive('tool')].map(about).sort(byId),
  };
}

/** The tactics in the order of the matrix. */
function tacticsOf(objects: readonly StixObject[]): AttackContent['tactics'] {
  const matrix = objects.find((object) => object.type === 'x-mitre-matrix' && isAlive(object));
  if (!matrix?.tactic_refs) throw new Error('the bundle holds no matrix');
  const known = new Map(objects.map((object) => [object.id, object]));
  return matrix.tactic_refs.flatMap((ref) => {
    const tactic = known.get(ref);
    if (!tactic) return [];
    return [{ id: externalId(tactic), key: tactic.x_mitre_shortname ?? '', name: tactic.name ?? '' }];
  });
}

/** What an object uses or is attributed to, by the first letter of its identifier: T, G or S. */
function usesOf(objects: readonly StixObject[]): (stixId: string, letter: 'T' | 'G' | 'S') => string[] {
  const known = new Map(objects.map((object) => [object.id, object]));
  const replaced = new Map<string, string>();
  const targets = new Map<string, Set<string>>();
  const relations = objects.filter((object) => object.type === 'relationship' && isAlive(object));
  for (const { relationship_type, source_ref = '', target_ref = '' } of relations)
    if (relationship_type === 'revoked-by') replaced.set(source_ref, target_ref);
  for (const { relationship_type, source_ref = '', target_ref = '' } of relations) {
    if (relationship_type !== 'uses' && relationship_type !== 'attributed-to') continue;
    const target = known.get(replaced.get(target_ref) ?? target_ref);
    if (!target || !isAlive(target)) continue;
    targets.set(source_ref, (targets.get(source_ref) ?? new Set()).add(externalId(target)));
  }
  return (stixId, letter) => [...(targets.get(stixId) ?? [])].filter((id) => id.startsWith(letter)).sort();
}
