import { readFileSync } from 'node:fs';
import { type ServerMessage, say } from '@tyrian/contract';
import { z } from 'zod';

// Tactics and techniques of ATT&CK, from content/attack. Identifiers and names only.

const schema = z.object({
  version: z.string(),
  tactics: z.array(z.object({ id: z.string(), key: z.string(), name: z.string() })),
  techniques: z.array(z.object({ id: z.string(), name: z.string(), tactics: z.array(z.string()) })),
});
export type AttackIndex = z.output<typeof schema>;

let kept: AttackIndex | undefined;

/** The index; read once. */
export function attackIndex(): AttackIndex {
  const file = new URL('../../../../content/attack/enterprise-attack.json', import.meta.url);
  kept ??= schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return kept;
}

/** Shorter words are in the names of too many techniques to say anything. */
const SHORTEST_WORD = 3;

/** Ids of the techniques whose name holds a word, whatever its case. */
export function techniquesNamed(word: string, index: AttackIndex = attackIndex()): string[] {
  if (word.length < SHORTEST_WORD) return [];
  const wanted = word.toLowerCase();
  return index.techniques.filter((each) => each.name.toLowerCase().includes(wanted)).map((each) => each.id);
}

/** Why tactic and techniques of a signal block do not fit ATT&CK; null when they do. Empty values fit. */
export function attackMismatch(
  signal: { readonly tactic: string; readonly technique: string; readonly sub_technique: string },
  index: AttackIndex = attackIndex(),
): { readonly field: 'tactic' | 'technique' | 'sub_technique'; readonly said: ServerMessage } | null {
  const { tactic, technique, sub_technique: sub } = signal;
  const known = (id: string) => index.techniques.find((each) => each.id === id);
  if (tactic !== '' && !index.tactics.some((each) => each.name === tactic)) {
    return { field: 'tactic', said: say('rules.noTactic', { version: index.version, tactic }) };
  }
  const found = technique === '' ? undefined : known(technique);
  if (technique !== '' && (!found || technique.includes('.'))) {
    return { field: 'technique', said: say('rules.noTechnique', { version: index.version, technique }) };
  }
  if (found && tactic !== '' && !found.tactics.includes(tactic)) {
    const where = found.tactics.join(', ');
    return {
      field: 'technique',
      said: say('rules.otherTactic', { technique: `${technique} ${found.name}`, tactics: where, tactic }),
    };
  }
  if (sub !== '' && !known(sub)) {
    return {
      field: 'sub_technique',
      said: say('rules.noTechnique', { version: index.version, technique: sub }),
    };
  }
  if (sub !== '' && !sub.startsWith(`${technique}.`)) {
    const said =
      technique === ''
        ? say('rules.subWithoutTechnique', { sub })
        : say('rules.otherTechnique', { sub, technique });
    return { field: 'sub_technique', said };
  }
  return null;
}
