import { isPastResultMemory } from '../../platform/clickhouse/result-memory.ts';
import { asPlanRequest, PROBE_MS, type Probe, type ProbeDeps, type ProbeRequest } from './asked-together.ts';
import type { Literal } from './prefilter/literal-need.ts';
import { allMarks } from './prefilter/literals-seen.ts';
import { inQueries, MOST_PASSING, probePlan } from './probe-rules.ts';

// How many events of a window pass the covers of detections, and which: few queries for many covers.

/** How often a query that fails is parted in two, to find the filter that fails. */
const PARTED = 10;
/** The same for one that takes too long. */
const PARTED_SLOW = 1;

/**
 * Each event that passes one of the covers holds one of these; null when that is not known of all. Literals that are known
 * because events of the window have no other fields say nothing of older events.
 */
function literalsOf(probes: readonly Probe[], { reaches }: ProbeRequest): readonly Literal[] | null {
  const found = new Map<string, Literal>();
  for (const { held, known } of probes) {
    if (!held || (reaches && !known.literals)) return null;
    for (const literal of held.literals) found.set(literal.key, literal);
  }
  return [...found.values()];
}

/** Marks of all events of the window that may pass one of the covers; null when these are not known. */
const marksOf = (probes: readonly Probe[], { reaches }: ProbeRequest): readonly number[] | null =>
  reaches ? null : allMarks(probes.map(({ held }) => held?.marks ?? null));

/** Events of a scope that pass a cover. */
interface Passing {
  /** At least so many. */
  readonly events: number;
  /** Marks of all of them; null when these are not known. */
  readonly marks: readonly number[] | null;
}

/** The events that pass the cover of each probe, by scope; null where that is not known. */
export type Counted = ReadonlyMap<Probe, ReadonlyMap<string, Passing> | null>;

async function countTogether(
  { queries }: ProbeDeps,
  probes: readonly Probe[],
  request: ProbeRequest,
  mostMarked: number,
): Promise<Counted> {
  const { reaches, present } = request;
  const covers = probes.map(({ cover }) => cover);
  const [literals, marks] = [literalsOf(probes, request), marksOf(probes, request)];
  const plan = probePlan(covers, { reaches, mostMarked, present, literals, marks });
  const { rows } = await queries.runPlan(plan, asPlanRequest(request, probes));
  const byScope = rows.map(
    ([scope, ...values]) => [String(scope), passingEach(values, request, mostMarked)] as const,
  );
  return new Map(
    probes.map((probe, at) => [
      probe,
      new Map(byScope.map(([scope, each]) => [scope, each[at] ?? NONE_PASSES])),
    ]),
  );
}

const NONE_PASSES: Passing = { events: 0, marks: [] };

/** What a row tells of each cover. */
function passingEach(
  values: readonly unknown[],
  { reaches }: ProbeRequest,
  mostMarked: number,
): readonly Passing[] {
  if (reaches) return values.map((value) => ({ events: Number(value), marks: null }));
  const marksOfEach = JSON.parse(String(values[0])) as number[][];
  return marksOfEach.map((marks) => ({
    events: marks.length,
    marks: marks.length < mostMarked ? marks : null,
  }));
}

async function count(
  deps: ProbeDeps,
  probes: readonly Probe[],
  request: ProbeRequest,
  parted = 0,
): Promise<Counted> {
  const { signal } = request;
  const began = performance.now();
  try {
    return await countTogether(deps, probes, request, MOST_PASSING).catch((error: unknown) => {
      if (!isPastResultMemory(error)) throw error;
      return countTogether(deps, probes, request, 1);
    });
  } catch {
    // A filter that fails on these events fails in its rule too, which tells of it; the others need not run for that.
    const isSlow = performance.now() - began >= PROBE_MS;
    if (parted >= (isSlow ? PARTED_SLOW : PARTED) || probes.length < 2 || signal?.aborted) {
      if (!signal?.aborted) for (const { known } of probes) deps.aside.put(known.id);
      return new Map(probes.map((probe) => [probe, null]));
    }
    const half = Math.ceil(probes.length / 2);
    const first = await count(deps, probes.slice(0, half), request, parted + 1);
    const second = await count(deps, probes.slice(half), request, parted + 1);
    return new Map([...first, ...second]);
  }
}

/** Those that few events can pass are asked about together, so that one whose literals are common slows only its like. */
export async function countAll(
  deps: ProbeDeps,
  probes: readonly Probe[],
  request: ProbeRequest,
): Promise<Counted> {
  const all = new Map<Probe, ReadonlyMap<string, Passing> | null>();
  const marked = probes.filter(({ held }) => held?.marks);
  const narrow = probes.filter(({ held }) => held && !held.marks);
  for (const some of [marked, narrow]) some.sort((a, b) => (a.held?.hits ?? 0) - (b.held?.hits ?? 0));
  const wide = probes.filter(({ held }) => held === null);
  for (const few of [marked, narrow, wide].flatMap((some) => inQueries(some))) {
    for (const [probe, counts] of await count(deps, few, request)) all.set(probe, counts);
  }
  return all;
}
