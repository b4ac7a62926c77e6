import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { fewAtATime } from '../../platform/few-at-a-time.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import {
  type ClaimedGroup,
  type ClaimedRule,
  claimGroups,
  claimRules,
  inQueue,
  letKeepStep,
  moveIdleGroups,
  type QueueMoment,
} from './due-queue.ts';
import type { DetectionEvaluator } from './evaluate-detection.ts';
import { findGrown } from './find-late-events.ts';
import { EVENTS_FOR_HALVES } from './first-half.ts';
import { releaseGroup } from './group-store.ts';
import { type BegunGroup, createGroupTurns, type GroupSight } from './group-turn.ts';
import type { RuleDefinitions } from './rule-definition.ts';
import type { RuleFigures } from './rule-figures.ts';
import { createRuleReader, type RuleReader } from './rule-reader.ts';
import { releaseRules } from './rule-store.ts';
import { createRuleTurn, type TurnDeps } from './rule-turn.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';
import { activityIn } from './stream-activity.ts';
import { isOver, LEASE_MS, type TurnLimits, WATERMARK_LAG_MS } from './turn-limits.ts';

// Works off the due queue of all tenants. Groups without events move on together; those that may have some are claimed,
// and then the rules that stand alone. Each tenant has a turn of bounded length in a round, so that one with a day to
// catch up on, or with expensive rules, does not hold up the others.

export interface RunnerDeps {
  readonly postgres: Postgres;
  readonly events: EventStore;
  readonly evaluator: DetectionEvaluator;
  readonly definitions: RuleDefinitions;
  /** What runs cost is noted there. */
  readonly figures?: RuleFigures;
  readonly clock: Clock;
  readonly log: Logger;
  /** Names this runner in leases. */
  readonly owner: string;
  /** Events of a minute of a scope from which on the next one is evaluated in halves. */
  readonly eventsForHalves?: number;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Tenants whose detections are switched off. */
  readonly paused?: readonly string[];
  /** Only this tenant; all when absent. */
  readonly clusterId?: string;
}

export interface RunResult {
  /** Windows that were evaluated and recorded, of rules that stand alone and of groups. */
  readonly recorded: number;
  /** Groups that moved on without events. */
  readonly idle: number;
  /** Some tenant used its turn up and has probably more to do. */
  readonly hasMore: boolean;
}

export interface DetectionRunner {
  readonly reader: RuleReader;
  /** Works off what is due now. */
  runDue(options?: RunOptions): Promise<RunResult>;
}

/** The turn of a tenant; what is begun in it is finished. */
const TURN_MS = 2_000;
const TENANTS_AT_ONCE = 4;
const GROUPS = { most: 32, mostOfTenant: 8 };
const RULES = { most: 400, mostOfTenant: 100 };
/** Passes over the queue in one round: a rule that is read in one of them runs in the next. */
const MOST_PASSES = 10;
/** How far before its window a group counts again, for events that came in late. */
const NEAR_MS = 10 * MINUTE_MS;

interface TenantWork {
  readonly clusterId: string;
  readonly groups: ClaimedGroup[];
  /** By scope. */
  readonly rules: Map<string, ClaimedRule[]>;
}

function byTenant(groups: readonly ClaimedGroup[], rules: readonly ClaimedRule[]): TenantWork[] {
  const found = new Map<string, TenantWork>();
  const workOf = (clusterId: string): TenantWork => {
    const work = found.get(clusterId) ?? { clusterId, groups: [], rules: new Map() };
    found.set(clusterId, work);
    return work;
  };
  for (const group of groups) workOf(group.clusterId).groups.push(group);
  for (const rule of rules) {
    const { rules: ofScopes } = workOf(rule.clusterId);
    ofScopes.set(rule.scopeId, [...(ofScopes.get(rule.scopeId) ?? []), rule]);
  }
  return [...found.values()];
}

interface DetectionRunnerParts extends RunnerDeps {
  readonly turnDeps: TurnDeps;
  readonly reader: RuleReader;
  readonly groupTurns: ReturnType<typeof createGroupTurns>;
  readonly ruleTurn: ReturnType<typeof createRuleTurn>;
}

export function createDetectionRunner(deps: RunnerDeps): DetectionRunner {
  const { postgres, events, clock, owner, eventsForHalves = EVENTS_FOR_HALVES } = deps;
  const reader = createRuleReader(deps);
  const turnDeps = { postgres, events, reader, clock, owner, eventsForHalves };
  const groupTurns = createGroupTurns(turnDeps);
  const ruleTurn = createRuleTurn(turnDeps);
  const parts: DetectionRunnerParts = { ...deps, turnDeps, reader, groupTurns, ruleTurn };
  return { reader, ...bindDeps(parts, { runDue }) };
}

function claim({ postgres, owner }: DetectionRunnerParts, moment: QueueMoment) {
  return inQueue(postgres, async (trx) => {
    const lease = { owner, untilMs: moment.nowMs + LEASE_MS };
    const idle = await moveIdleGroups(trx, moment);
    await letKeepStep(trx, moment);
    const groups = await claimGroups(trx, moment, { ...lease, ...GROUPS });
    const rules = await claimRules(trx, moment, { ...lease, ...RULES });
    return { idle, groups, rules };
  });
}

/** The events of a tenant's claimed groups, read once; minutes that have grown since are marked on the way. */
async function sightOf(
  { clock, events, turnDeps, reader }: DetectionRunnerParts,
  { clusterId, groups }: TenantWork,
): Promise<GroupSight> {
  const watermarkMs = clock.now() - WATERMARK_LAG_MS;
  const oldest = Math.min(...groups.map((group) => group.coveredUntil));
  const from = Math.floor((oldest - NEAR_MS) / MINUTE_MS) * MINUTE_MS;
  const activity = await activityIn(events, clusterId, { from, to: watermarkMs });
  const scopeIds = [...new Set(groups.map((group) => group.scopeId))];
  await findGrown({ ...turnDeps, reader }, clusterId, scopeIds, { from, to: oldest }, activity.minutes);
  return { ...activity, watermarkMs };
}

/** The groups of a tenant that are due see their first windows together: what one query tells, it tells for all of them. */
async function runGroups(parts: DetectionRunnerParts, work: TenantWork, limits: TurnLimits): Promise<number> {
  const { clock, groupTurns, postgres, owner } = parts;
  const waiting = new Set(work.groups);
  let recorded = 0;
  try {
    if (waiting.size === 0) return 0;
    const sight = await sightOf(parts, work);
    const begun: BegunGroup[] = [];
    for (const group of work.groups) {
      const one = await groupTurns.begin(group, sight);
      if (one) begun.push(one);
      else waiting.delete(group);
    }
    const candidates = await groupTurns.candidatesOf(begun, limits);
    for (const [at, one] of begun.entries()) {
      if (at > 0 && isOver(limits, clock)) break;
      waiting.delete(one.group);
      recorded += await groupTurns.run(one, candidates, sight, limits);
    }
    return recorded;
  } finally {
    // Those that had no turn go first in the next.
    const sinceMs = clock.now();
    await postgres.inTenant(work.clusterId, async (trx) => {
      for (const group of work.groups)
        await releaseGroup(trx, group, owner, waiting.has(group) ? 0 : sinceMs);
    });
  }
}

async function runRules(
  { postgres, owner, ruleTurn }: DetectionRunnerParts,
  work: TenantWork,
  limits: TurnLimits,
): Promise<number> {
  let recorded = 0;
  for (const [scopeId, claims] of work.rules) {
    if (limits.signal?.aborted) {
      const workbookIds = claims.map((rule) => rule.workbookId);
      const rules = { clusterId: work.clusterId, scopeId, workbookIds };
      await postgres.inTenant(work.clusterId, (trx) => releaseRules(trx, rules, owner, 0));
    } else recorded += await ruleTurn(claims, limits);
  }
  return recorded;
}

async function serve(parts: DetectionRunnerParts, work: TenantWork, signal: AbortSignal | undefined) {
  const { clusterId } = work;
  const limits = { signal, untilMs: parts.clock.now() + TURN_MS };
  let recorded = 0;
  try {
    recorded += await runGroups(parts, work, limits);
  } catch (error) {
    if (!signal?.aborted) held(parts, clusterId, error as Error);
  }
  try {
    recorded += await runRules(parts, work, limits);
  } catch (error) {
    if (!signal?.aborted) held(parts, clusterId, error as Error);
  }
  return { recorded, isUsedUp: parts.clock.now() >= limits.untilMs };
}

function held({ log }: DetectionRunnerParts, clusterId: string, error: Error): void {
  log.warn({ clusterId, err: error.message }, 'detections of a tenant were held up');
}

async function onePass(parts: DetectionRunnerParts, { signal, paused = [], clusterId }: RunOptions) {
  const nowMs = parts.clock.now();
  const only = clusterId === undefined ? {} : { clusterId };
  const moment = { nowMs, watermarkMs: nowMs - WATERMARK_LAG_MS, paused, ...only };
  const { idle, groups, rules } = await claim(parts, moment);
  const turns = await fewAtATime(byTenant(groups, rules), TENANTS_AT_ONCE, (work) =>
    serve(parts, work, signal),
  );
  return {
    idle,
    recorded: turns.reduce((sum, turn) => sum + turn.recorded, 0),
    hasMore: turns.some((turn) => turn.isUsedUp),
    isQuiet: turns.length === 0,
  };
}

async function runDue(parts: DetectionRunnerParts, options: RunOptions = {}): Promise<RunResult> {
  const sum = { recorded: 0, idle: 0 };
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const { isQuiet, hasMore, recorded, idle } = await onePass(parts, options);
    sum.recorded += recorded;
    sum.idle += idle;
    if (hasMore || options.signal?.aborted) return { ...sum, hasMore };
    if (isQuiet) return { ...sum, hasMore: false };
  }
  return { ...sum, hasMore: true };
}
