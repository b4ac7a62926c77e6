import type { Plan } from '@tyrian/plan';
import { isPastResultMemory } from '../../platform/clickhouse/result-memory.ts';
import {
  type AskedDetection,
  asPlanRequest,
  namesOf,
  type Probe,
  type ProbeDeps,
  type ProbeRequest,
} from './asked-together.ts';
import { type Counted, countAll } from './count-covers.ts';
import { knownCover } from './known-cover.ts';
import { narrowedToSignal } from './narrow-to-signal.ts';
import { literalCoverAmong } from './prefilter/literal-cover.ts';
import type { Literal } from './prefilter/literal-need.ts';
import type { LiteralProbe } from './prefilter/literal-probe.ts';
import {
  allMarks,
  type Held,
  type LiteralsSeen,
  literalsSeen,
  MOST_GROUPS,
} from './prefilter/literals-seen.ts';
import type { CandidateEvents } from './prefilter/narrow-to-candidates.ts';
import { type PresentFields, presentFields } from './prefilter/present-fields.ts';
import { type Finding, type ReadRows, readTogether } from './read-together.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';

// Tells of many detections of a tenant, in all its scopes, which cannot find anything in a window: a few queries instead of
// one for each of them. Where there are many, one pass tells which literals the events hold, and whoever needs one that none
// holds is out. The next counts the events of the window that pass each cover that is left; one that may find something
// because old events have left its range is not asked about these. Of those that are left over and look further back, the
// last tells whether enough has come in since then. In doubt, and when such a query fails, nothing is told. Of those that look
// at single events, one query reads the rows.

/** What is known of detections in a window before their own queries run. */
export interface DetectionCandidates {
  /** They cannot find anything. */
  readonly without: ReadonlySet<AskedDetection>;
  /** Of others the events that they can be about, where these are known. */
  readonly events: ReadonlyMap<AskedDetection, CandidateEvents>;
}

/** Fewer detections than this run at once. */
const PROBED_TOGETHER = 2;
/** For so many covers the literals of the window are looked at first; fewer are counted as fast. */
const LITERALS_FROM = 100;
/** So many at most read further back each for itself, without being counted together first. */
const MOST_BY_GROUPS = 12;
/** Rows of one query that reads the events of several. */
const MOST_READ = 20_000;
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
    const key = `${lookbackMs} ${needsNew} ${known.grouped !== null} ${known.id}`;
    const probe = probes.get(key) ?? { known, cover, lookbackMs, needsNew, asked: [], held: null };
    probe.asked.push(each);
    probes.set(key, probe);
  }
  return [...probes.values()];
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

/** With the rows of those detections that look at single events of the window, where one query could read them. */
async function withRows(
  { compiled, queries }: ProbeDeps,
  events: ReadonlyMap<AskedDetection, CandidateEvents>,
  loud: readonly Probe[],
  request: ProbeRequest,
): Promise<ReadonlyMap<AskedDetection, CandidateEvents>> {
  const findings: Finding<AskedDetection>[] = [];
  for (const [asked, { marks }] of events) {
    const { rule, detection } = asked;
    if (!marks || rule.schedule.lookback_minutes > 0) continue;
    const { plan } = await compiled(rule, detection);
    const wanted = narrowedToSignal(plan, detection.signal.body);
    if (wanted) findings.push({ asked, scopeId: rule.scopeId, plan: wanted, marks });
  }
  try {
    const found = await readTogether(findings, request.present, (plan) =>
      queries.runPlan(plan, { ...asPlanRequest(request, loud), maxRows: MOST_READ }),
    );
    return new Map([...events].map(([asked, one]) => [asked, withRowsOf(one, found.get(asked))]));
  } catch {
    // Each asks for its own, and tells what is wrong.
    return events;
  }
}

const withRowsOf = (events: CandidateEvents, rows: ReadRows | undefined): CandidateEvents =>
  rows ? { ...events, rows } : events;

/** Tells of detections of one tenant which cannot find anything in the window, and of which events the others may be. */
export async function detectionCandidates(
  deps: ProbeDeps,
  asked: readonly AskedDetection[],
  window: Window,
  signal?: AbortSignal,
  queryId?: string,
): Promise<DetectionCandidates> {
  const candidates = await candidatesIn(deps, asked, window, signal, queryId);
  // A window in which they find nothing need not be looked at by those that go on from one to the next.
  for (const { rule, detection } of candidates.without)
    if (deps.followed?.follows(rule, detection, window))
      deps.followed.evaluated(rule, detection, window, false);
  return candidates;
}

async function candidatesIn(
  deps: ProbeDeps,
  asked: readonly AskedDetection[],
  window: Window,
  signal: AbortSignal | undefined,
  queryId: string | undefined,
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
  const events = await withRows(deps, eventsOf(counted, loud, request.present), loud, request);
  for (const one of quiet) without.add(one);
  const others = probes.filter((probe) => !probe.needsNew);
  const bounded = withoutGroups(deps, loud, window)
    .concat(others)
    .filter(({ cover }) => cover.threshold !== null);
  if (isFew(bounded)) return { without, events };
  // Counted as far back as the one that looks furthest: for the others that may only say too much.
  const lookbackMs = Math.max(...bounded.map((probe) => probe.lookbackMs));
  const whole = { from: window.from - lookbackMs, to: window.to };
  const further = await countAll(deps, bounded, { ...asking, window: whole, reaches: true });
  for (const one of part(further, ({ cover }) => cover.threshold?.least ?? 0).quiet) without.add(one);
  return { without, events };
}

/** Without those that read but the groups of the window's own events, as long as these are few. */
function withoutGroups({ followed }: ProbeDeps, probes: readonly Probe[], window: Window): readonly Probe[] {
  const readsGroups = ({ known, asked }: Probe): boolean =>
    known.grouped !== null &&
    asked.every(({ rule, detection }) => followed?.follows(rule, detection, window));
  const byGroups = new Set(probes.filter(readsGroups));
  const count = [...byGroups].reduce((sum, { asked }) => sum + asked.length, 0);
  return count > MOST_BY_GROUPS ? probes : probes.filter((probe) => !byGroups.has(probe));
}

const isFew = (probes: readonly Probe[]): boolean =>
  probes.reduce((sum, { asked }) => sum + asked.length, 0) < PROBED_TOGETHER;
