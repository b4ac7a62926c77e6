import {
  isPackRuleId,
  type listRulePreviews,
  type OutputOf,
  PREVIEW_LIMITS,
  type RulePreview,
  type readPreviewSamples,
  type readRulePreview,
  say,
  type startRulePreview,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { markCanceled, runState } from '../../platform/jobs/cancel-run.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleDefinitions } from '../detections/rule-definition.ts';
import { MINUTE_MS } from '../detections/schedule-boundaries.ts';
import { WATERMARK_LAG_MS } from '../detections/turn-limits.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { QueryService } from '../search/query-service.ts';
import { readEntry } from '../search/read-entry.ts';
import { partsOf } from './preview-figures.ts';
import { rulePreviewRequest } from './preview-request.ts';
import { samplesOf } from './preview-samples.ts';
import {
  endPreview,
  findPreview,
  findResultOf,
  type InScope,
  insertPreview,
  keepNewest,
  lockScope,
  openPreviews,
  type PreviewKey,
  type PreviewRow,
  pagePreviews,
  removePreview,
  resultsOf,
  setRun,
} from './preview-store.ts';
import { itemOf, previewOf } from './preview-view.ts';

// Previews as people see them: started, watched, stopped, read back, deleted.

export interface CallerInScope extends InScope {
  readonly caller: Caller;
}

export interface PreviewDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly queries: QueryService;
  readonly definitions: RuleDefinitions;
  /** The title of a rule of a pack, also of one without a query; null when the tenant has none such. */
  readonly titleOf: (clusterId: string, ruleId: string) => Promise<string | null>;
  /** Days for which a scope keeps its events, by stream. */
  readonly retentionDays: (clusterId: string, scopeId: string) => Promise<Readonly<Record<string, number>>>;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;
type Key = { readonly preview_id: string };

export interface RulePreviewsService {
  /** Throws `not-found` for a rule that is not there, `bad-input` for a range that is not kept, `conflict` for too many. */
  start(
    scope: CallerInScope,
    input: Parsed<typeof startRulePreview>,
  ): Promise<OutputOf<typeof startRulePreview>>;
  read(scope: CallerInScope, input: Parsed<typeof readRulePreview>): Promise<RulePreview>;
  list(
    scope: CallerInScope,
    input: Parsed<typeof listRulePreviews>,
  ): Promise<OutputOf<typeof listRulePreviews>>;
  samples(
    scope: CallerInScope,
    input: Parsed<typeof readPreviewSamples>,
  ): Promise<OutputOf<typeof readPreviewSamples>>;
  /** Throws `not-found`, `conflict` when it has ended. */
  cancel(scope: CallerInScope, input: Key): Promise<Key>;
  /** Throws `not-found`, `conflict` while it runs. */
  remove(scope: CallerInScope, input: Key): Promise<Key>;
}

const DAY_MS = 86_400_000;

export function createRulePreviewsService(deps: PreviewDeps): RulePreviewsService {
  return bindDeps(deps, { start, read, list, samples, cancel, remove });
}

/** For how many days back events are looked at. */
async function keptDays({ retentionDays }: PreviewDeps, { clusterId, scopeId }: InScope): Promise<number> {
  const days = Object.values(await retentionDays(clusterId, scopeId));
  // Zero: for ever.
  if (days.length === 0 || days.includes(0)) return PREVIEW_LIMITS.days;
  return Math.min(PREVIEW_LIMITS.days, Math.max(...days));
}

/** The range in whole minutes, up to what no event comes into any more. */
async function rangeOf(deps: PreviewDeps, scope: InScope, input: { start: number; end: number }) {
  const nowMs = deps.clock.now();
  const days = await keptDays(deps, scope);
  const minute = (ms: number) => Math.floor(ms / MINUTE_MS) * MINUTE_MS;
  const from = minute(input.start);
  const to = minute(Math.min(input.end, nowMs - WATERMARK_LAG_MS));
  if (to <= from) throw new AppError('bad-input', say('rules.previewNotYet'));
  // A range that is said in days begins some moments before it is asked for.
  if (from < nowMs - days * DAY_MS - 3_600_000)
    throw new AppError('bad-input', say('rules.previewTooOld', { days }));
  return { from, to };
}

async function start(deps: PreviewDeps, scope: CallerInScope, input: Parsed<typeof startRulePreview>) {
  const { clusterId, scopeId, caller } = scope;
  const range = await rangeOf(deps, scope, input);
  const ids = [...new Set(input.rule_ids)];
  const { rules, skipped } = await rulesToRun(deps, scope, ids);
  const key = { clusterId, scopeId, previewId: newId() };
  await closeLost(deps, scope);
  await deps.postgres.inTenant(clusterId, async (trx) => {
    await lockScope(trx, scope);
    if ((await openPreviews(trx, scope)).length >= PREVIEW_LIMITS.open)
      throw new AppError('conflict', say('rules.tooManyPreviews', { most: PREVIEW_LIMITS.open }));
    await keepNewest(trx, scope, PREVIEW_LIMITS.kept - 1);
    const author = { userId: caller.userId, name: caller.name };
    const { kind } = input;
    const parts = partsOf(range).length;
    await insertPreview(trx, { ...key, kind, range, parts, author, rules, nowMs: deps.clock.now() });
    const payload = { scopeId, previewId: key.previewId };
    await setRun(
      trx,
      key,
      await enqueueJob(trx, rulePreviewRequest, { payload, clusterId, askedBy: author }),
    );
    const details = { kind, rules: rules.map(({ ruleId }) => ruleId), from: range.from, to: range.to };
    await noted(deps, trx, scope, 'rule.preview.start', key.previewId, details);
  });
  return { preview_id: key.previewId, skipped };
}

/** The rules that have a query. Throws `not-found` for one that is not there. */
async function rulesToRun({ definitions, titleOf }: PreviewDeps, scope: InScope, ids: readonly string[]) {
  const { clusterId, scopeId } = scope;
  // Drafts of workbooks have a preview of their own.
  if (!ids.every(isPackRuleId)) throw notFound();
  const found = await definitions.definitionsOf(clusterId, scopeId, ids);
  const rules: { ruleId: string; title: string }[] = [];
  let skipped = '';
  for (const ruleId of ids) {
    const rule = found.get(ruleId);
    const title = rule?.name ?? (await titleOf(clusterId, ruleId));
    if (title === null) throw notFound();
    if (rule && rule.detections.length > 0) rules.push({ ruleId, title });
    else skipped = title;
  }
  if (rules.length === 0) throw new AppError('conflict', say('rules.previewNoQuery', { title: skipped }));
  return { rules, skipped: ids.length - rules.length };
}

function noted(
  { audit }: PreviewDeps,
  trx: TenantTransaction,
  { clusterId, scopeId, caller }: CallerInScope,
  action: string,
  entity: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  return audit.record({ action, who: caller, clusterId, scopeId, entity, details }, trx);
}

/** Ends the previews of a scope whose job was cancelled or given up on the page of jobs, or is gone. */
async function closeLost({ postgres, clock }: PreviewDeps, { clusterId, scopeId }: InScope): Promise<void> {
  const open = await postgres.inTenant(clusterId, (trx) => openPreviews(trx, { clusterId, scopeId }));
  for (const { preview_id: previewId, run_id: runId } of open) {
    const job = runId === null ? undefined : await runState(postgres.platform, runId);
    if (job === 'waiting' || job === 'running') continue;
    await postgres.inTenant(clusterId, async (trx) => {
      const key = { clusterId, scopeId, previewId };
      // Another job may have taken over in the meantime.
      if ((await findPreview(trx, key, true))?.run_id !== runId) return;
      await endPreview(trx, key, job === 'canceled' ? 'canceled' : 'failed', clock.now());
    });
  }
}

const keyOf = ({ clusterId, scopeId }: InScope, { preview_id: previewId }: Key): PreviewKey => ({
  clusterId,
  scopeId,
  previewId,
});

async function read(deps: PreviewDeps, scope: CallerInScope, input: Parsed<typeof readRulePreview>) {
  const { clusterId, scopeId } = scope;
  const key = keyOf(scope, input);
  const look = () =>
    deps.postgres.inTenant(clusterId, async (trx) => {
      const row = await findPreview(trx, key);
      if (!row) throw notFound();
      const results = await resultsOf(trx, key);
      const ruleId = input.rule_id ?? (results.length === 1 ? results[0]?.rule_id : undefined);
      const shown = ruleId === undefined ? undefined : await findResultOf(trx, key, ruleId);
      if (input.rule_id !== undefined && !shown) throw notFound();
      return { row, results, shown };
    });
  let found = await look();
  if (found.row.ended === null) {
    await closeLost(deps, scope);
    found = await look();
  }
  const ids = found.results.map(({ rule_id }) => rule_id);
  const known = new Set((await deps.definitions.definitionsOf(clusterId, scopeId, ids)).keys());
  return previewOf({ ...found, known });
}

async function list(deps: PreviewDeps, scope: CallerInScope, input: Parsed<typeof listRulePreviews>) {
  await closeLost(deps, scope);
  const page = await deps.postgres.inTenant(scope.clusterId, (trx) => pagePreviews(trx, scope, input));
  const earliest = deps.clock.now() - (await keptDays(deps, scope)) * DAY_MS;
  return { data: page.data.map(itemOf), total_count: page.total_count, earliest };
}

async function samples(deps: PreviewDeps, scope: CallerInScope, input: Parsed<typeof readPreviewSamples>) {
  const { clusterId, scopeId, caller } = scope;
  const key = keyOf(scope, input);
  const found = await deps.postgres.inTenant(clusterId, async (trx) => {
    if (!(await findPreview(trx, key))) throw notFound();
    const result = await findResultOf(trx, key, input.rule_id);
    if (!result) throw notFound();
    return result;
  });
  const read = await samplesOf(deps.queries, { clusterId, scopeId, userId: caller.userId }, found);
  const asked = { clusterId, scopeId, query: read.kql, range: { from: read.start, to: read.end } };
  const entry = readEntry('rule.preview.samples', asked, { rows: read.data.length, preview: key.previewId });
  await deps.audit.record({ ...entry, entity: input.rule_id });
  return read;
}

/** The preview, held until the transaction ends. */
async function held(trx: TenantTransaction, key: PreviewKey): Promise<PreviewRow> {
  const row = await findPreview(trx, key, true);
  if (!row) throw notFound();
  return row;
}

async function cancel(deps: PreviewDeps, scope: CallerInScope, input: Key): Promise<Key> {
  const { postgres, clock } = deps;
  const key = keyOf(scope, input);
  const runId = await postgres.inTenant(scope.clusterId, async (trx) => {
    const row = await held(trx, key);
    if (!(await endPreview(trx, key, 'canceled', clock.now())))
      throw new AppError('conflict', say('rules.previewEnded'));
    await noted(deps, trx, scope, 'rule.preview.cancel', key.previewId, { kind: row.kind });
    return row.run_id;
  });
  // What it runs is aborted; what it would still write is refused.
  if (runId !== null) await markCanceled(postgres.platform, runId);
  return { preview_id: key.previewId };
}

async function remove(deps: PreviewDeps, scope: CallerInScope, input: Key): Promise<Key> {
  const key = keyOf(scope, input);
  await closeLost(deps, scope);
  await deps.postgres.inTenant(scope.clusterId, async (trx) => {
    const row = await held(trx, key);
    if (row.ended === null) throw new AppError('conflict', say('rules.previewRuns'));
    await removePreview(trx, key);
    await noted(deps, trx, scope, 'rule.preview.remove', key.previewId, { kind: row.kind });
  });
  return { preview_id: key.previewId };
}
