import type { Plan } from '@tyrian/plan';
import { isPastResultMemory } from '../../platform/clickhouse/result-memory.ts';
import type { Compiled, QueryService } from '../search/query-service.ts';
import type { CoversAside } from './covers-aside.ts';
import { type KnownCover, knownCover } from './known-cover.ts';
import { literalCoverAmong } from './prefilter/literal-cover.ts';
import type { Literal } from './prefilter/literal-need.ts';
import type { LiteralProbe } from './prefilter/literal-probe.ts';
import {
  allMarks,
  type Held,
  type keepLiteralProbes,
  type LiteralsSeen,
  literalsSeen,
  MOST_GROUPS,
} from './prefilter/literals-seen.ts';
import type { CandidateEvents } from './prefilter/narrow-to-candidates.ts';
import { type PresentFields, presentFields } from './prefilter/present-fields.ts';
import { inQueries, MOST_PASSING, probePlan } from './probe-rules.ts';
import type { RuleCover } from './rule-cover.ts';
import type { Detection, RuleDefinition } from './rule-definition.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';

// Tells of many detections of a tenant, in all its scopes, which cannot find anything in a window: a few queries instead of
// one for each of them. Where there are many, one pass tells which literals the events hold, and whoever needs one that none
// holds is out. The next counts the events of the window that pass each cover that is left; one that may find something
// because old events have left its range is not asked about these. Of those that are left over and look further back, the
// last tells whether enough has come in since then. In doubt, and when such a query fails, nothing is told.

export interface AskedDetection {
  readonly rule: RuleDefinition;
  readonly detection: Detection;
}

/** What is known of detections in a window before their own queries run. */
export interface DetectionCandidates {
  /** They cannot find anything. */
  readonly without: ReadonlySet<AskedDetection>;
  /** Of others the events that they can be about, where these are known. */
  readonly events: ReadonlyMap<AskedDetection, CandidateEvents>;
}

interface ProbeDeps {
  readonly compiled: (rule: RuleDefinition, detection: Detection) => Promise<Compiled>;
  readonly queries: QueryService;
  readonly passesFor: ReturnType<typeof keepLiteralProbes>;
  readonly aside: CoversAside;
}

/** Detections with one cover, by scope. */
interface Probe {
  readonly known: KnownCover;
  readonly cover: RuleCover;
  readonly lookbackMs: number;
  /** Finds nothing in a window in which nothing of it has come in. */
  readonly needsNew: boolean;
  readonly asked: AskedDetection[];
  /** Literals of which each event that passes holds one, and which events do; null when that is not known. */
  readonly held: Held | null;
}

/** Fewer detections than this run at once. */
const PROBED_TOGETHER = 2;
/** For so many covers the literals of the window are looked at first; fewer are counted as fast. */
const LITERALS_FROM = 100;
/** How often a query that fails is parted in two, to find the filter that fails. */
const PARTED = 10;
/** The same for one that takes too long. */
const PARTED_SLOW = 1;

async function probesOf(
  { compiled, aside }: ProbeDeps,
  asked: readonly AskedDetection[],
): Promise<readonly Probe[]> {
  const probes = new Map<string, Probe>();
  for (const each of asked) {
    const lookbackMs = each.rule.schedule.lookback_minutes * MINUTE_MS;
    const known = knownCover(await compiled(each.rule, each.detection));
    if (!known || (lookbackMs > 0 && known.asksElsewhere)) continue;
    const needsNew = lookbackMs === 0 || known.needsNew;
    const { cover } = known;
    if ((!needsNew && cover.threshold === null) || aside.has(known.id)) continue;
    const key = `${lookbackMs} ${needsNew} ${known.id}`;
    const probe = probes.get(key) ?? { known, cover, lookbackMs, needsNew, asked: [], held: null };
    probe.asked.push(each);
    probes.set(key, probe);
  }
  return [...probes.values()];
}

interface ProbeRequest {
  readonly clusterId: string;
  readonly window: Window;
  readonly reaches: boolean;
  readonly signal: AbortSignal | undefined;
  /** The fields that events of the window have; null when that is not known. */
  readonly present: PresentFields | null;
  /** A new name of a query on the engine. */
  readonly nextId: () => string | undefined;
}

/** A query for many rules that takes longer is given up. */
const PROBE_MS = 15_000;

/** Names `of-0`, `of-1`, …; none without `of`. */
function namesOf(of: string | undefined): () => string | undefined {
  let count = 0;
  return () => of && `${of}-${count++}`;
}

const named = (queryId: string | undefined) => (queryId ? { queryId } : {});

const asPlanRequest = (
  { clusterId, window, signal, present, nextId }: ProbeRequest,
  probes: readonly Probe[],
) => ({
  clusterId,
  scopes: [...new Set(probes.flatMap(({ asked }) => asked.map(({ rule }) => rule.scopeId)))].sort(),
  ingestRange: { from: window.from, to: window.to },
  queue: 'detections' as const,
  ...(present ? { values: present.values } : {}),
  ...named(nextId()),
  signal: AbortSignal.any([AbortSignal.timeout(PROBE_MS), ...(signal ? [signal] : [])]),
});

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
type Counted = ReadonlyMap<Probe, ReadonlyMap<string, Passing> | null>;

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
async function countAll(deps: ProbeDeps, probes: readonly Probe[], request: ProbeRequest): Promise<Counted> {
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

/** The fields of the window, where there are so many probes that it pays to know them. */
async function fieldsOf(
  { queries }: ProbeDeps,
  probes: readonly Probe[],
  request: ProbeRequest,
): Promise<PresentFields | null> {
  if (probes.length < LITERALS_FROM) return null;
  const { clusterId, scopes, ingestRange, signal } = asPlanRequest(request, probes);
  try {
    return presentFields(await queries.fieldsInRange({ clusterId, scopes, ingestRange, signal }));
  } catch {
    return null;
  }
}

/** What the passes tell; null when they fail. */
async function seenIn(
  { queries }: ProbeDeps,
  passes: readonly LiteralProbe[],
  nextRequest: () => ReturnType<typeof asPlanRequest>,
): Promise<LiteralsSeen | null> {
  const ask = (planOf: (probe: LiteralProbe) => Plan) =>
    literalsSeen(passes, (probe) =>
      queries.runPlan(planOf(probe), { ...nextRequest(), maxRows: MOST_GROUPS }),
    );
  try {
    return await ask(({ plan }) => plan).catch((error: unknown) => {
      if (!isPastResultMemory(error)) throw error;
      return ask(({ planOfMany }) => planOfMany);
    });
  } catch {
    return null;
  }
}

/** Of many probes, those whose literals some event of the window holds; the others are added to `without`. */
async function withLiterals(
  deps: ProbeDeps,
  probes: readonly Probe[],
  request: ProbeRequest,
  without: Set<AskedDetection>,
): Promise<readonly Probe[]> {
  const { present } = request;
  if (!present) return probes;
  const literalsBy = new Map(
    probes.map(({ known }) => [known, known.literals ?? literalCoverAmong(known.cover.parts, present)]),
  );
  const covers = [...literalsBy].flatMap(([{ id }, literals]) => (literals ? [{ id, literals }] : []));
  const seen = await seenIn(deps, deps.passesFor(covers, present), () => asPlanRequest(request, probes));
  // Without the passes every cover is counted.
  if (!seen) return probes;
  return probes.flatMap((probe) => {
    const literals = literalsBy.get(probe.known);
    if (!literals) return [probe];
    const asked: AskedDetection[] = [];
    const held = { literals: new Map<string, Literal>(), hits: 0 };
    const marks: Held['marks'][] = [];
    for (const one of probe.asked) {
      const chosen = seen.chosen(literals, one.rule.scopeId);
      if (chosen.hits === 0) without.add(one);
      else {
        asked.push(one);
        held.hits += chosen.hits;
        marks.push(chosen.marks);
        for (const literal of chosen.literals) held.literals.set(literal.key, literal);
      }
    }
    const all = { literals: [...held.literals.values()], hits: held.hits, marks: allMarks(marks) };
    return asked.length === 0 ? [] : [{ ...probe, asked, held: all }];
  });
}

/** Parts what was asked by whether so many events pass its cover. */
function part(counted: Counted, leastOf: (probe: Probe) => number) {
  const quiet: AskedDetection[] = [];
  const loud: Probe[] = [];
  for (const [probe, counts] of counted) {
    const few = (one: AskedDetection): boolean =>
      counts !== null && (counts.get(one.rule.scopeId)?.events ?? 0) < leastOf(probe);
    quiet.push(...probe.asked.filter(few));
    const rest = probe.asked.filter((one) => !few(one));
    if (rest.length > 0) loud.push({ ...probe, asked: rest });
  }
  return { quiet, loud };
}

/** The events that were found to pass the covers of detections, or else those that may. */
function eventsOf(
  counted: Counted,
  loud: readonly Probe[],
  present: PresentFields | null,
): ReadonlyMap<AskedDetection, CandidateEvents> {
  const events = new Map<AskedDetection, CandidateEvents>();
  const byCover = new Map([...counted].map(([{ known }, counts]) => [known, counts]));
  for (const { known, asked, held } of loud)
    for (const one of asked) {
      const marks = byCover.get(known)?.get(one.rule.scopeId)?.marks ?? held?.marks ?? null;
      if (marks || present) events.set(one, { marks, present });
    }
  return events;
}

/** Tells of detections of one tenant which cannot find anything in the window, and of which events the others may be. */
export async function detectionCandidates(
  deps: ProbeDeps,
  asked: readonly AskedDetection[],
  window: Window,
  signal?: AbortSignal,
  queryId?: string,
): Promise<DetectionCandidates> {
  const [first] = asked;
  const probes = first ? await probesOf(deps, asked) : [];
  const without = new Set<AskedDetection>();
  if (!first || isFew(probes)) return { without, events: new Map() };
  const asking = {
    clusterId: first.rule.clusterId,
    window,
    reaches: false,
    signal,
    present: null,
    nextId: namesOf(queryId),
  };
  const request = { ...asking, present: await fieldsOf(deps, probes, asking) };
  const needsNew = probes.filter((probe) => probe.needsNew);
  const likely = await withLiterals(deps, needsNew, request, without);
  const counted = await countAll(deps, likely, request);
  const { quiet, loud } = part(counted, () => 1);
  const events = eventsOf(counted, loud, request.present);
  for (const one of quiet) without.add(one);
  const others = probes.filter((probe) => !probe.needsNew);
  const bounded = [...loud, ...others].filter(({ cover }) => cover.threshold !== null);
  if (isFew(bounded)) return { without, events };
  // Counted as far back as the one that looks furthest: for the others that may only say too much.
  const lookbackMs = Math.max(...bounded.map((probe) => probe.lookbackMs));
  const whole = { from: window.from - lookbackMs, to: window.to };
  const further = await countAll(deps, bounded, { ...asking, window: whole, reaches: true });
  for (const one of part(further, ({ cover }) => cover.threshold?.least ?? 0).quiet) without.add(one);
  return { without, events };
}

const isFew = (probes: readonly Probe[]): boolean =>
  probes.reduce((sum, { asked }) => sum + asked.length, 0) < PROBED_TOGETHER;
