import type { Plan } from '@tyrian/plan';
import type { Compiled, QueryService } from '../search/query-service.ts';
import { analysePlan } from './analyse-plan.ts';
import { findsOnlyWithNewEvents } from './new-findings.ts';
import { inQueries, probePlan } from './probe-rules.ts';
import { asksElsewhere, coverOf, type RuleCover } from './rule-cover.ts';
import type { Detection, RuleDefinition } from './rule-definition.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';

// Tells of many detections of a tenant, in all its scopes, which cannot find anything in a window: two small queries
// instead of one for each of them. The first counts the events of the window that pass each cover; one that may find something
// because old events have left its range is not asked about these. Of those that are left over and look further back, the
// second query tells whether enough has come in since then. In doubt, and when such a query fails, nothing is told.

export interface AskedDetection {
  readonly rule: RuleDefinition;
  readonly detection: Detection;
}

interface ProbeDeps {
  readonly compiled: (rule: RuleDefinition, detection: Detection) => Promise<Compiled>;
  readonly queries: QueryService;
}

/** Detections with one cover, by scope. */
interface Probe {
  readonly cover: RuleCover;
  readonly lookbackMs: number;
  /** Finds nothing in a window in which nothing of it has come in. */
  readonly needsNew: boolean;
  readonly asked: AskedDetection[];
}

/** Fewer detections than this run at once. */
const PROBED_TOGETHER = 2;
/** How often a query that fails is parted in two, to find the filter that fails. */
const PARTED = 3;

interface KnownCover {
  readonly cover: RuleCover;
  readonly key: string;
}

const covers = new WeakMap<Plan, KnownCover | null>();

/** The cover of a compiled query, worked out once. */
function knownCover({ plan, questions }: Compiled): KnownCover | null {
  const known = covers.get(plan);
  if (known !== undefined) return known;
  const cover = questions.length === 0 && analysePlan(plan).needsEvents ? coverOf(plan) : null;
  const found = cover && { cover, key: JSON.stringify(cover) };
  covers.set(plan, found);
  return found;
}

async function probesOf(
  { compiled }: ProbeDeps,
  asked: readonly AskedDetection[],
): Promise<readonly Probe[]> {
  const probes = new Map<string, Probe>();
  for (const each of asked) {
    const lookbackMs = each.rule.schedule.lookback_minutes * MINUTE_MS;
    const query = await compiled(each.rule, each.detection);
    const known = knownCover(query);
    if (!known || (lookbackMs > 0 && asksElsewhere(query.plan))) continue;
    const needsNew = lookbackMs === 0 || findsOnlyWithNewEvents(query.plan);
    if (!needsNew && known.cover.threshold === null) continue;
    const key = `${lookbackMs} ${needsNew} ${known.key}`;
    const probe = probes.get(key) ?? { cover: known.cover, lookbackMs, needsNew, asked: [] };
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
}

/** The events that pass the cover of each probe, by scope; null where that is not known. */
type Counted = ReadonlyMap<Probe, ReadonlyMap<string, number> | null>;

async function count(
  deps: ProbeDeps,
  probes: readonly Probe[],
  request: ProbeRequest,
  parted = 0,
): Promise<Counted> {
  const { clusterId, window, reaches, signal } = request;
  try {
    const plan = probePlan(
      probes.map(({ cover }) => cover),
      reaches,
    );
    const { rows } = await deps.queries.runPlan(plan, {
      clusterId,
      scopes: [...new Set(probes.flatMap(({ asked }) => asked.map(({ rule }) => rule.scopeId)))].sort(),
      ingestRange: { from: window.from, to: window.to },
      queue: 'detections',
      ...(signal ? { signal } : {}),
    });
    return new Map(
      probes.map((probe, at) => [
        probe,
        new Map(rows.map((row) => [String(row[0]), Number(row[at + 1])] as const)),
      ]),
    );
  } catch {
    // A filter that fails on these events fails in its rule too, which tells of it; the others need not run for that.
    if (parted === PARTED || probes.length < 2 || signal?.aborted)
      return new Map(probes.map((probe) => [probe, null]));
    const half = Math.ceil(probes.length / 2);
    const first = await count(deps, probes.slice(0, half), request, parted + 1);
    const second = await count(deps, probes.slice(half), request, parted + 1);
    return new Map([...first, ...second]);
  }
}

async function countAll(deps: ProbeDeps, probes: readonly Probe[], request: ProbeRequest): Promise<Counted> {
  const all = new Map<Probe, ReadonlyMap<string, number> | null>();
  for (const few of inQueries(probes)) {
    for (const [probe, counts] of await count(deps, few, request)) all.set(probe, counts);
  }
  return all;
}

/** Parts what was asked by whether so many events pass its cover. */
function part(counted: Counted, leastOf: (probe: Probe) => number) {
  const quiet: AskedDetection[] = [];
  const loud: Probe[] = [];
  for (const [probe, counts] of counted) {
    const few = (one: AskedDetection): boolean =>
      counts !== null && (counts.get(one.rule.scopeId) ?? 0) < leastOf(probe);
    quiet.push(...probe.asked.filter(few));
    const rest = probe.asked.filter((one) => !few(one));
    if (rest.length > 0) loud.push({ ...probe, asked: rest });
  }
  return { quiet, loud };
}

/** Of detections of one tenant, those that cannot find anything in the window. */
export async function detectionsWithoutCandidates(
  deps: ProbeDeps,
  asked: readonly AskedDetection[],
  window: Window,
  signal?: AbortSignal,
): Promise<Set<AskedDetection>> {
  const [first] = asked;
  const probes = first ? await probesOf(deps, asked) : [];
  if (!first || isFew(probes)) return new Set();
  const request = { clusterId: first.rule.clusterId, window, reaches: false, signal };
  const needsNew = probes.filter((probe) => probe.needsNew);
  const { quiet, loud } = part(await countAll(deps, needsNew, request), () => 1);
  const without = new Set(quiet);
  const others = probes.filter((probe) => !probe.needsNew);
  const bounded = [...loud, ...others].filter(({ cover }) => cover.threshold !== null);
  if (isFew(bounded)) return without;
  // Counted as far back as the one that looks furthest: for the others that may only say too much.
  const lookbackMs = Math.max(...bounded.map((probe) => probe.lookbackMs));
  const whole = { from: window.from - lookbackMs, to: window.to };
  const counted = await countAll(deps, bounded, { ...request, window: whole, reaches: true });
  for (const one of part(counted, ({ cover }) => cover.threshold?.least ?? 0).quiet) without.add(one);
  return without;
}

const isFew = (probes: readonly Probe[]): boolean =>
  probes.reduce((sum, { asked }) => sum + asked.length, 0) < PROBED_TOGETHER;
