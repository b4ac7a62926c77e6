import {
  askTuning,
  dailyStreamDetails,
  type LedgerBucket,
  listRuleHealth,
  listTuning,
  type OutputOf,
  readLedgerPicture,
  releaseRule,
  rerunRule,
  resolveTuning,
  runningWorkbooks,
  signalStreamStatus,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { notFound } from '../../platform/app-error.ts';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RuleRuns } from '../detections/rule-runs.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { KnownRules } from './known-rules.ts';
import { createRuleHealthService, type HealthDeps } from './rule-health-service.ts';
import { ruleHealthUpkeep } from './rule-health-upkeep.ts';
import { listRunning } from './running-workbooks.ts';
import { streamDays, streamStatus } from './stream-status.ts';
import { type CallerInScope, createTuningService, type TuningService } from './tuning-service.ts';

export interface RuleHealthFeature extends RoutedFeature {
  readonly jobs: readonly AnyJob[];
}

interface RuleHealthDeps {
  readonly platform: Platform;
  readonly audit: AuditService;
  readonly runs: RuleRuns;
  readonly knownRules: KnownRules;
}

interface ActDeps extends HealthDeps {
  readonly audit: AuditService;
}

/** How rules do: their runs, what they cost and find, what is set aside, and requests to tune them. */
export function ruleHealthFeature({ platform, audit, runs, knownRules }: RuleHealthDeps): RuleHealthFeature {
  const { postgres, clock, log, eventStore: events } = platform;
  const deps: ActDeps = { postgres, clock, log, events, runs, knownRules, audit };
  const nameOf = async (clusterId: string, scopeId: string, id: string) =>
    (await knownRules(clusterId, scopeId)).get(id)?.name ?? null;
  const tuning = createTuningService({ postgres, clock, audit, nameOf });
  return {
    jobs: [ruleHealthUpkeep({ postgres, clock })],
    register: (app) => {
      healthRoutes(app, deps);
      tuningRoutes(app, tuning);
      streamRoutes(app, deps);
    },
  };
}

const scopeOf = (call: {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly input: { readonly scope_id: string };
}): CallerInScope => ({ caller: call.caller, clusterId: call.clusterId, scopeId: call.input.scope_id });

function healthRoutes(app: FastifyInstance, deps: ActDeps): void {
  const health = createRuleHealthService(deps);
  bindEndpoint(app, listRuleHealth, ({ clusterId, input }) => health.list(clusterId, input));
  bindEndpoint(app, readLedgerPicture, ({ clusterId, input }) => picture(deps, clusterId, input));
  bindEndpoint(app, rerunRule, (call) => rerun(deps, scopeOf(call), call.input));
  bindEndpoint(app, releaseRule, (call) => release(deps, scopeOf(call), call.input.ID));
}

function tuningRoutes(app: FastifyInstance, tuning: TuningService): void {
  bindEndpoint(app, askTuning, (call) => tuning.ask(scopeOf(call), call.input));
  bindEndpoint(app, listTuning, (call) => tuning.list(scopeOf(call), call.input));
  bindEndpoint(app, resolveTuning, (call) => tuning.resolve(scopeOf(call), call.input));
}

function streamRoutes(app: FastifyInstance, deps: ActDeps): void {
  bindEndpoint(app, dailyStreamDetails, ({ clusterId, input }) =>
    streamDays(deps, clusterId, input.scope_id, input.days),
  );
  bindEndpoint(app, signalStreamStatus, async ({ clusterId, input }) => {
    const known = await deps.knownRules(clusterId, input.scope_id);
    const { rules } = await deps.runs.inScope(clusterId, input.scope_id, deps.clock.now());
    const on = rules.flatMap(({ ID, isOn }) => (isOn ? (known.get(ID) ?? []) : []));
    return streamStatus(deps, clusterId, input.scope_id, on);
  });
  bindEndpoint(app, runningWorkbooks, ({ clusterId, input }) => listRunning(deps, clusterId, input));
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;

async function nameIn(deps: ActDeps, clusterId: string, scopeId: string, id: string): Promise<string> {
  const known = (await deps.knownRules(clusterId, scopeId)).get(id);
  if (!known) throw notFound();
  return known.name;
}

async function picture(
  deps: ActDeps,
  clusterId: string,
  { ID, scope_id: scopeId, start, end, parts }: Parsed<typeof readLedgerPicture>,
): Promise<OutputOf<typeof readLedgerPicture>> {
  const name = await nameIn(deps, clusterId, scopeId, ID);
  const key = { clusterId, scopeId, workbookId: ID };
  const { rule, buckets, gaps, gapCount, waitingReruns } = await deps.runs.draw(
    key,
    { from: start, to: end },
    parts,
  );
  const { coveredFrom, coveredUntil, state, quarantine, nextRun } = rule;
  return {
    name,
    state,
    covered_from: coveredFrom,
    covered_until: coveredFrom === null ? null : coveredUntil,
    buckets: buckets.map(rounded),
    gaps,
    gap_count: gapCount,
    waiting_reruns: waitingReruns,
    quarantine,
    next_run: nextRun,
  };
}

const rounded = (bucket: LedgerBucket): LedgerBucket => ({
  ...bucket,
  covered_ms: Math.round(bucket.covered_ms),
  gap_ms: Math.round(bucket.gap_ms),
  failed_ms: Math.round(bucket.failed_ms),
});

async function rerun(
  deps: ActDeps,
  { clusterId, scopeId, caller }: CallerInScope,
  { ID, start, end }: Parsed<typeof rerunRule>,
): Promise<OutputOf<typeof rerunRule>> {
  const rule = await nameIn(deps, clusterId, scopeId, ID);
  const key = { clusterId, scopeId, workbookId: ID };
  const windows = await deps.runs.rerun(key, { from: start, to: end }, async (trx, count) => {
    const details = { rule, from: start, to: end, windows: count };
    await deps.audit.record(
      { action: 'detection.rerun', who: caller, clusterId, scopeId, entity: ID, details },
      trx,
    );
  });
  return { windows };
}

async function release(
  deps: ActDeps,
  { clusterId, scopeId, caller }: CallerInScope,
  ID: string,
): Promise<OutputOf<typeof releaseRule>> {
  const rule = await nameIn(deps, clusterId, scopeId, ID);
  await deps.postgres.inTenant(clusterId, async (trx) => {
    await deps.runs.release(trx, { clusterId, scopeId, workbookId: ID });
    const details = { rule };
    await deps.audit.record(
      { action: 'detection.release', who: caller, clusterId, scopeId, entity: ID, details },
      trx,
    );
  });
  return { ID };
}
