import type { Literal, Need } from './literal-need.ts';

// The events of one scope and stream as one pass tells of them: in groups, each of events that hold the same literals.

/** Some of the groups, a bit for each. Null: any of them may be meant, because the pass does not tell. */
type Groups = Uint32Array | null;

/** Whether a literal that this pass does not tell of is in some event. */
export type IsElsewhere = (literal: Literal) => boolean;

export interface EventsAlike {
  /** A group: what its events hold, how many they are, and marks of some or all of them. */
  add(keys: readonly string[], events: number, marks: readonly number[]): void;
  /** How many events hold the literal. */
  eventsWith(literal: Literal): number;
  has(literal: Literal): boolean;
  /** How many events may meet the need: of literals that other passes tell of each event may hold those that are there. */
  eventsMeeting(need: Need, isElsewhere: IsElsewhere): number;
  /** Marks of all events that may meet the need; null when some of these have none. */
  marksMeeting(need: Need, isElsewhere: IsElsewhere): readonly number[] | null;
}

export function eventsAlike(tells: (literal: Literal) => boolean): EventsAlike {
  const counts: number[] = [];
  const marksOf: (readonly number[])[] = [];
  const byLiteral = new Map<string, { readonly groups: number[]; events: number }>();

  const none = (): Uint32Array => new Uint32Array(Math.ceil(counts.length / 32));
  const withAny = (literals: readonly Literal[], isElsewhere: IsElsewhere): Groups => {
    const groups = none();
    for (const literal of literals) {
      if (!tells(literal) && isElsewhere(literal)) return null;
      for (const group of byLiteral.get(literal.key)?.groups ?? [])
        groups[group >> 5] = (groups[group >> 5] ?? 0) | (1 << (group & 31));
    }
    return groups;
  };
  const meeting = (need: Need, isElsewhere: IsElsewhere): Groups => {
    if (need.kind === 'literals') return withAny(need.literals, isElsewhere);
    let found: Groups = need.kind === 'all' ? null : none();
    for (const each of need.needs) {
      const groups = meeting(each, isElsewhere);
      if (need.kind === 'one-of') {
        if (!groups) return null;
        found = merged(found, groups, (one, other) => one | other);
      } else if (groups) found = merged(found, groups, (one, other) => one & other);
    }
    return found;
  };

  return {
    add: (keys, events, marks) => {
      const group = counts.length;
      counts.push(events);
      marksOf.push(marks);
      for (const key of keys) {
        const known = byLiteral.get(key) ?? { groups: [], events: 0 };
        known.groups.push(group);
        known.events += events;
        byLiteral.set(key, known);
      }
    },
    eventsWith: ({ key }) => byLiteral.get(key)?.events ?? 0,
    has: ({ key }) => byLiteral.has(key),
    eventsMeeting: (need, isElsewhere) => sumOf(meeting(need, isElsewhere), counts),
    marksMeeting: (need, isElsewhere) => marksIn(meeting(need, isElsewhere), counts, marksOf),
  };
}

/** `found` may be changed; null is whatever `groups` are. */
function merged(found: Groups, groups: Uint32Array, of: (one: number, other: number) => number): Uint32Array {
  if (!found) return groups;
  for (const [word, bits] of groups.entries()) found[word] = of(found[word] ?? 0, bits);
  return found;
}

/** The numbers of the groups; all below `count` for null. */
function* groupsIn(groups: Groups, count: number): Generator<number> {
  if (!groups) {
    for (let group = 0; group < count; group += 1) yield group;
    return;
  }
  for (const [word, bits] of groups.entries())
    for (let left = bits; left !== 0; left &= left - 1) yield 32 * word + 31 - Math.clz32(left & -left);
}

/** The marks of all events of the groups; null when one has none. */
function marksIn(
  groups: Groups,
  counts: readonly number[],
  marksOf: readonly (readonly number[])[],
): readonly number[] | null {
  const marks: number[] = [];
  for (const group of groupsIn(groups, counts.length)) {
    const some = marksOf[group] ?? [];
    if (some.length < (counts[group] ?? 0)) return null;
    for (const mark of some) marks.push(mark);
  }
  return marks;
}

/** How many events are in the groups. */
function sumOf(groups: Groups, counts: readonly number[]): number {
  let sum = 0;
  for (const group of groupsIn(groups, counts.length)) sum += counts[group] ?? 0;
  return sum;
}
