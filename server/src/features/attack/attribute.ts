import type { Attribution, Suggestions } from '@tyrian/contract';
import { type Actor, type AttackKnowledge, byName, parentOf } from './attack-content.ts';

// Which groups and campaigns do what is asked about. A technique weighs by how few of them use it: ln(1 + actors / users),
// so that what everybody does says little. The score is the cosine of the two sets under these weights; a technique
// that meets only its own sub-technique or parent counts half. Pure: equal questions have equal answers.

const SHOWN = 20;
const HALF = 0.5;
/** Shorter names of software are words of any text. */
const SHORTEST_NAME = 4;

export interface Asked {
  readonly techniques: readonly string[];
  /** Where software is looked for by name. */
  readonly text: string;
}

export function attribute(knowledge: AttackKnowledge, asked: Asked): Suggestions {
  const techniques = [...new Set(asked.techniques)].filter((id) => knowledge.techniqueOf.has(id)).sort();
  const software = softwareNamed(knowledge, asked.text);
  const { users } = knowledge;
  const weight = (id: string) => Math.log(1 + knowledge.actors.size / Math.max(1, users.get(id) ?? 0));
  const found = [...knowledge.actors.values()].flatMap((actor) => {
    const one = compare(knowledge, actor, { techniques, software, users, weight });
    return one ? [one] : [];
  });
  found.sort(
    (a, b) => b.score - a.score || b.techniques.length - a.techniques.length || byName(a.actor, b.actor),
  );
  return {
    techniques: techniques.map((id) => ({ id, name: knowledge.techniqueOf.get(id)?.name ?? '' })),
    software,
    data: found.slice(0, SHOWN),
    total_count: found.length,
  };
}

interface Measure {
  readonly techniques: readonly string[];
  readonly software: Suggestions['software'];
  readonly users: ReadonlyMap<string, number>;
  readonly weight: (id: string) => number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function compare(
  knowledge: AttackKnowledge,
  actor: Actor,
  { techniques, software, users, weight }: Measure,
): Attribution | null {
  const exact = new Set(actor.techniques);
  const related = new Set(actor.techniques.flatMap((id) => [parentOf(id)]));
  const common = techniques.flatMap((id) => {
    const isExact = exact.has(id);
    const isRelated = related.has(id) || exact.has(parentOf(id));
    return isExact || isRelated ? [{ id, isExact }] : [];
  });
  const used = software.filter(({ id }) => actor.software.includes(id));
  if (common.length === 0 && used.length === 0) return null;
  const shared = sum(common.map(({ id, isExact }) => weight(id) * (isExact ? 1 : HALF)));
  const all = Math.sqrt(sum(techniques.map(weight)) * sum(actor.techniques.map(weight)));
  // Software that the actor is known for stands for a technique that it shares with few.
  const ofSoftware = used.length === 0 ? 0 : HALF * (used.length / Math.max(1, software.length));
  const likeness = (all === 0 ? 0 : shared / all) * (1 - ofSoftware) + ofSoftware;
  return {
    actor: {
      ...{ id: actor.id, name: actor.name, kind: actor.kind },
      aliases: [...actor.aliases],
      techniques: actor.techniques.length,
    },
    score: Math.round(100 * Math.min(1, likeness)),
    techniques: common
      .map(({ id, isExact }) => ({
        id,
        name: knowledge.techniqueOf.get(id)?.name ?? '',
        used_by: users.get(id) ?? 0,
        is_exact: isExact,
      }))
      .sort((a, b) => a.used_by - b.used_by || (a.id < b.id ? -1 : 1)),
    software: [...used],
  };
}

/** Software whose name, or another name of it, stands in a text as a word of its own. */
function softwareNamed(knowledge: AttackKnowledge, text: string): Suggestions['software'] {
  const words = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const isNamed = (name: string) =>
    name.length >= SHORTEST_NAME &&
    words.includes(
      ` ${name
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()} `,
    );
  return knowledge.software
    .filter(({ name, aliases }) => [name, ...aliases].some(isNamed))
    .map(({ id, name }) => ({ id, name }));
}
