import { bindDeps } from '../../platform/bind-deps.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { ClaimedGroup } from './due-queue.ts';
import { evaluateAll, type Step, stretchesOf } from './evaluate-window.ts';
import { keepFirstCounts } from './evaluated-minutes.ts';
import { type FoundFigures, firstHalfAt, isWholeHalf, nextFirstHalf } from './first-half.ts';
import { keepingStep, lockGroup, moveGroup, saveFirstHalf } from './group-store.ts';
import { writeTogether } from './ledger-store.ts';
import { type Evaluated, recordFound, recordOutcome } from './record-outcome.ts';
import { MERGED_WINDOWS, type ReadRule, type RuleCandidates, type RuleReading } from './rule-reader.ts';
import { addFound, lockRule, type RuleChange, saveRule } from './rule-store.ts';
import type { TurnDeps } from './rule-turn.ts';
import { type Boundaries, boundariesNamed } from './schedule-boundaries.ts';
import { type Evaluation, MAX_SPAN, OFF, type RuleState, stepScheduler } from './scheduler-machine.ts';
import type { ActivityInRange } from './stream-activity.ts';
import { isOver, LEASE_MS, type TurnLimits, WINDOWS_PER_TURN } from './turn-limits.ts';

// The turn of a group whose scope may have received events. Each window is evaluated for the rules whose streams received
// some; the others have nothing to find. Then the group moves on, with all rules that keep step: only what a rule found is
// written for it. One whose query fails stands alone from there on, so that it holds nobody up.

/** Further behind than this, rules that must take window after window let the others go ahead. */
const MOST_IN_STEP = 5;

/** The events that a turn sees, counted before anything is evaluated. */
export interface GroupSight extends ActivityInRange {
  /** Windows end here at the latest. */
  readonly watermarkMs: number;
}

export interface GroupTurns {
  /** Reads the rules of a claimed group and what its next window holds; null when the group has nothing to do. */
  begin(group: ClaimedGroup, sight: GroupSight): Promise<BegunGroup | null>;
  /** What is known of the rules of groups of one tenant in the first windows. */
  candidatesOf(begun: readonly BegunGroup[], limits: TurnLimits): Promise<RuleCandidates>;
  /** Works on the windows of a group; resolves with the number of those in which some rule had anything to look at. */
  run(begun: BegunGroup, candidates: RuleCandidates, sight: GroupSight, limits: TurnLimits): Promise<number>;
}

export interface BegunGroup {
  readonly group: ClaimedGroup;
  readonly readings: Map<string, RuleReading>;
  readonly boundaries: Boundaries;
  readonly first: Step;
}

const stateAt = (coveredUntil: number): RuleState => ({ ...OFF, coveredFrom: coveredUntil, coveredUntil });

export function createGroupTurns(deps: TurnDeps): GroupTurns {
  return bindDeps(deps, { begin, candidatesOf, run });
}

function wake(
  { clock }: TurnDeps,
  coveredUntil: number,
  sight: GroupSight,
  boundaries: Boundaries,
  mergeable: number,
) {
  const { actions } = stepScheduler(stateAt(coveredUntil), {
    kind: 'wake',
    now: clock.now(),
    watermark: sight.watermarkMs,
    boundaries,
    mergeable,
  });
  return actions[0]?.kind === 'evaluate' ? actions[0].evaluation : null;
}

/** The next window of the group; a stretch without events is one, however long. */
function next(
  deps: TurnDeps,
  group: ClaimedGroup,
  coveredUntil: number,
  sight: GroupSight,
  boundaries: Boundaries,
  mergeable: number,
): Step | null {
  const step = (window: Evaluation): Step => {
    const known = window.from === group.coveredUntil ? group.firstHalf : null;
    const seen = sight.firstHalf(group.scopeId, window.from);
    const firstHalf = known && isWholeHalf(known, window, seen) ? { ...known, seen } : null;
    return { window, minutes: sight.minutes(group.scopeId, window), isFirstHalf: false, firstHalf };
  };
  const widest = wake(deps, coveredUntil, sight, boundaries, MAX_SPAN);
  if (!widest || sight.minutes(group.scopeId, widest).size === 0) return widest && step(widest);
  const narrow = wake(deps, coveredUntil, sight, boundaries, mergeable);
  return narrow && step(narrow);
}

/** Holds a rule that keeps step with the group, does something with it; nothing when it has left meanwhile. */
async function withRule(
  trx: TenantTransaction,
  group: ClaimedGroup,
  workbookId: string,
  work: (stored: NonNullable<Awaited<ReturnType<typeof lockRule>>>) => Promise<unknown>,
): Promise<void> {
  const { clusterId, scopeId } = group;
  const stored = await lockRule(trx, { clusterId, scopeId, workbookId });
  if (stored?.keepsStep && stored.schedule === group.schedule) await work(stored);
}

/** Writes what was found and moves the group on; false when it is no longer ours. */
function record(
  { postgres, owner, clock, eventsForHalves }: TurnDeps,
  { group, boundaries }: BegunGroup,
  step: Step,
  evaluated: readonly Evaluated[],
): Promise<boolean> {
  const firstHalfDueMs = nextFirstHalf(group.schedule, step.window, step.minutes, eventsForHalves);
  return postgres.inTenant(group.clusterId, async (trx) => {
    const stored = await lockGroup(trx, group);
    if (stored?.leaseOwner !== owner || stored.coveredUntil !== step.window.from) return false;
    const nowMs = clock.now();
    for (const one of evaluated) {
      const { outcome, before } = one;
      if (outcome.ok && !before && outcome.parts.every((part) => part.rows === 0)) continue;
      const change = outcome.ok ? {} : { leavesStep: true };
      await withRule(trx, group, one.read.rule.workbookId, (rule) =>
        recordOutcome(trx, rule, one, nowMs, change),
      );
    }
    await keepFirstCounts(trx, group.clusterId, group.scopeId, step.minutes);
    await moveGroup(trx, group, {
      coveredUntil: step.window.to,
      dueMs: boundaries.after(step.window.to),
      firstHalfDueMs,
      nowMs,
      leaseUntilMs: nowMs + LEASE_MS,
    });
    return true;
  });
}

/** Writes what was found in the first half of a window, and for which rules it was not evaluated; false as above. */
function recordFirstHalf(
  { postgres, owner, clock }: TurnDeps,
  { group, readings }: BegunGroup,
  step: Step,
  evaluated: readonly Evaluated[],
): Promise<boolean> {
  return postgres.inTenant(group.clusterId, async (trx) => {
    const stored = await lockGroup(trx, group);
    if (stored?.leaseOwner !== owner || stored.coveredUntil !== step.window.from) return false;
    const without = new Set(
      [...readings].flatMap(([id, one]) => (one.kind === 'runs' && one.read.splitsMinutes ? [] : id)),
    );
    const found: Record<string, FoundFigures> = {};
    for (const { read, outcome } of evaluated) {
      const { workbookId } = read.rule;
      if (!outcome.ok) without.add(workbookId);
      if (!outcome.ok || outcome.parts.every((part) => part.rows === 0)) continue;
      await withRule(trx, group, workbookId, async (rule) => {
        const figures = await recordFound(trx, read, step.window, outcome, clock.now());
        await addFound(trx, rule, figures);
        found[workbookId] = figures;
      });
    }
    const seen = step.minutes.get(step.window.from) ?? {};
    await saveFirstHalf(trx, group, { until: step.window.to, seen, without: [...without], found });
    return true;
  });
}

/** Lets rules go on alone, or stop, before the group moves on. */
function partWith(
  { postgres, owner, clock }: TurnDeps,
  group: ClaimedGroup,
  parting: ReadonlyMap<string, Partial<RuleChange>>,
): Promise<boolean> {
  return postgres.inTenant(group.clusterId, async (trx) => {
    const stored = await lockGroup(trx, group);
    if (stored?.leaseOwner !== owner) return false;
    for (const [workbookId, change] of parting) {
      await withRule(trx, group, workbookId, async (rule) => {
        const { state } = rule;
        await writeTogether(trx, rule, clock.now());
        const dueMs = boundariesNamed(group.schedule).after(state.coveredUntil);
        await saveRule(trx, rule, { state, dueMs, ...change });
      });
    }
    return true;
  });
}

/** The rules that this turn serves; those that cannot go along part with the group. */
async function readRules(deps: TurnDeps, group: ClaimedGroup, sight: GroupSight) {
  const { clusterId, scopeId } = group;
  const ids = await deps.postgres.inTenant(clusterId, (trx) => keepingStep(trx, group));
  const readings = new Map(await deps.reader.read(clusterId, scopeId, ids));
  const boundaries = boundariesNamed(group.schedule);
  const isFarBehind =
    nextAfter(boundaries, group.coveredUntil, MOST_IN_STEP) <= sight.watermarkMs &&
    sight.minutes(scopeId, { from: group.coveredUntil, to: sight.watermarkMs }).size > 0;
  const parting = new Map<string, Partial<RuleChange>>();
  for (const [id, reading] of readings) {
    if (reading.kind === 'stopped') parting.set(id, { state: OFF, group: null });
    else if (reading.kind === 'broken' || !reading.read.needsEvents) parting.set(id, { leavesStep: true });
    else if (isFarBehind && !reading.read.rowByRow) parting.set(id, { leavesStep: true });
  }
  if (parting.size > 0 && !(await partWith(deps, group, parting))) return null;
  for (const id of parting.keys()) readings.delete(id);
  return { readings, boundaries };
}

/** The next window of a group whose rules are known. */
function stepOf(
  deps: TurnDeps,
  group: ClaimedGroup,
  { readings, boundaries }: Pick<BegunGroup, 'readings' | 'boundaries'>,
  coveredUntil: number,
  sight: GroupSight,
): Step | null {
  const isRowByRow = [...readings.values()].every(
    (reading) => reading.kind === 'runs' && reading.read.rowByRow,
  );
  return next(deps, group, coveredUntil, sight, boundaries, isRowByRow ? MERGED_WINDOWS : 1);
}

function firstHalfOf(group: ClaimedGroup, sight: GroupSight): Step {
  const window = { ...firstHalfAt(group.coveredUntil), rerun: false };
  const minutes = new Map([[window.from, sight.firstHalf(group.scopeId, window.from)]]);
  return { window, minutes, isFirstHalf: true, firstHalf: null };
}

async function begin(deps: TurnDeps, group: ClaimedGroup, sight: GroupSight): Promise<BegunGroup | null> {
  const rules = await readRules(deps, group, sight);
  if (rules && group.isFirstHalf) return { group, ...rules, first: firstHalfOf(group, sight) };
  const first = rules && stepOf(deps, group, rules, group.coveredUntil, sight);
  return first ? { group, ...rules, first } : null;
}

async function candidatesOf(
  { reader }: TurnDeps,
  begun: readonly BegunGroup[],
  { signal }: TurnLimits,
): Promise<RuleCandidates> {
  const byWindow = new Map<string, { readonly window: Evaluation; readonly reads: ReadRule[] }>();
  const stretches = begun.flatMap(({ readings, first }) => stretchesOf(readings, first));
  for (const { window, hits } of stretches) {
    const name = `${window.from} ${window.to}`;
    const together = byWindow.get(name) ?? { window, reads: [] };
    together.reads.push(...hits.keys());
    byWindow.set(name, together);
  }
  const known: RuleCandidates[] = [];
  for (const { window, reads } of byWindow.values()) {
    known.push(await reader.candidates(reads, window, signal));
  }
  return {
    quiet: new Set(known.flatMap(({ quiet }) => [...quiet])),
    events: new Map(known.flatMap(({ events }) => [...events])),
  };
}

async function run(
  deps: TurnDeps,
  begun: BegunGroup,
  candidates: RuleCandidates,
  sight: GroupSight,
  limits: TurnLimits,
): Promise<number> {
  const { group, readings } = begun;
  let recorded = 0;
  let step: Step | null = begun.first;
  for (let turn = 0; step && turn < WINDOWS_PER_TURN; turn += 1) {
    if (turn > 0 && isOver(limits, deps.clock)) break;
    const evaluated = await evaluateAll(deps, readings, step, turn === 0 ? candidates : null, limits);
    const isOurs = await (step.isFirstHalf ? recordFirstHalf : record)(deps, begun, step, evaluated);
    if (!isOurs) break;
    for (const { outcome, read } of evaluated) if (!outcome.ok) readings.delete(read.rule.workbookId);
    if (evaluated.length > 0) recorded += 1;
    step = step.isFirstHalf ? null : stepOf(deps, group, begun, step.window.to, sight);
  }
  return recorded;
}

/** The boundary so many windows after a time. */
function nextAfter(boundaries: Boundaries, time: number, windows: number): number {
  let at = time;
  for (let count = 0; count < windows; count += 1) at = boundaries.after(at);
  return at;
}
