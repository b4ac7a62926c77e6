import type { DraftCandidate } from './draft-candidates.ts';

// The fewest conditions that leave little of the other events. What each leaves together with others is known from one
// question to the engine: how many events fulfil which of the candidates.

/** Other events that fulfil exactly these candidates: bit n stands for candidate n. */
export interface FulfilledCount {
  readonly mask: number;
  readonly events: number;
}

const MOST_CHOSEN = 5;
/** A further condition has to leave out so much of what is left. */
const WORTH = 0.8;
/** What a condition of a rank has to gain over one of the first. */
const RANK_WEIGHT = { act: 1, other: 4, place: 40 } as const;

/** Other events that fulfil all of these candidates. */
export function othersLeft(counts: readonly FulfilledCount[], chosen: readonly number[]): number {
  return counts.reduce(
    (sum, { mask, events }) =>
      chosen.every((bit) => Math.floor(mask / 2 ** bit) % 2 === 1) ? sum + events : sum,
    0,
  );
}

/** The positions of the candidates that are chosen, in the order of the candidates. */
export function chooseConditions(
  candidates: readonly DraftCandidate[],
  counts: readonly FulfilledCount[],
): readonly number[] {
  let chosen: readonly number[] = [];
  let left = othersLeft(counts, chosen);
  while (
    chosen.length < MOST_CHOSEN &&
    chosen.length < candidates.length &&
    (left > 0 || chosen.length === 0)
  ) {
    const next = best(candidates, counts, chosen);
    if (next === null || (chosen.length > 0 && next.left > left * WORTH)) break;
    chosen = [...chosen, next.position];
    left = next.left;
  }
  const needed = withAct(candidates, counts, withoutNeedless(candidates, counts, chosen));
  return needed.toSorted((a, b) => a - b);
}

function best(
  candidates: readonly DraftCandidate[],
  counts: readonly FulfilledCount[],
  chosen: readonly number[],
): { readonly position: number; readonly left: number } | null {
  let found: { position: number; left: number; price: number } | null = null;
  for (const [position, { rank, doubt }] of candidates.entries()) {
    if (chosen.includes(position)) continue;
    const left = othersLeft(counts, [...chosen, position]);
    const price = (left + 1) * RANK_WEIGHT[rank] * doubt;
    if (!found || price < found.price) found = { position, left, price };
  }
  return found;
}

const PROGRAMS: ReadonlySet<string> = new Set(['ProcessName', 'ParentProcessName', 'OriginalFileName']);

/** A program is started for many reasons, if not on this day: with it goes what it was told to do. */
function withAct(
  candidates: readonly DraftCandidate[],
  counts: readonly FulfilledCount[],
  chosen: readonly number[],
): readonly number[] {
  const isProgram = (position: number) => PROGRAMS.has(candidates[position]?.path[0] ?? '');
  if (chosen.length === 0 || !chosen.every(isProgram)) return chosen;
  const told = candidates.map((one) =>
    one.path[0] === 'CommandLine' && one.operator === 'contains' ? one : { ...one, rank: 'place' as const },
  );
  const act = best(told, counts, chosen);
  return act && candidates[act.position] === told[act.position] && told[act.position]?.rank === 'act'
    ? [...chosen, act.position]
    : chosen;
}

/** What the conditions chosen later have made needless, the most doubted first. */
function withoutNeedless(
  candidates: readonly DraftCandidate[],
  counts: readonly FulfilledCount[],
  chosen: readonly number[],
): readonly number[] {
  const doubted = chosen.toSorted((a, b) => (candidates[b]?.doubt ?? 0) - (candidates[a]?.doubt ?? 0));
  let kept = chosen;
  for (const position of doubted) {
    const without = kept.filter((one) => one !== position);
    if (without.length > 0 && othersLeft(counts, without) === othersLeft(counts, kept)) kept = without;
  }
  return kept;
}
