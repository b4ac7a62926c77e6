import {
  type beginReparse,
  type estimateReparse,
  type listReparses,
  type OutputOf,
  REPARSE_LIMITS,
  type Reparse,
  say,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { markCanceled, runState } from '../../platform/jobs/cancel-run.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { readFailure } from '../../platform/said-of-failure.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { ExtractionScope } from './extractor-changes.ts';
import { countEvents, MINUTE_MS, type Selection } from './reparse-plan.ts';
import { reparseRequest } from './reparse-request.ts';
import {
  endReparse,
  findReparse,
  insertReparse,
  keepNewest,
  lockScope,
  openReparses,
  pageReparses,
  type ReparseKey,
  type ReparseRow,
  reopen,
  setRun,
} from './reparse-store.ts';

// Runs that read stored events again, as people see them: estimated, begun, watched, stopped, gone on with.

export interface ReparseDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly eventStore: EventStore;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;
type Wanted = Parsed<typeof estimateReparse>;
type Key = { readonly reparse_id: string };

export type ReparseService = ReturnType<typeof createReparseService>;

export function createReparseService(deps: ReparseDeps) {
  return bindDeps(deps, { estimate, begin, list, cancel, resume });
}

const DAY_MS = 86_400_000;

/** The range in whole minutes. */
function selected({ clusterId, scopeId }: ExtractionScope, wanted: Wanted): Selection {
  const from = Math.max(0, Math.floor(wanted.start / MINUTE_MS) * MINUTE_MS);
  const to = Math.max(from, Math.ceil(wanted.end / MINUTE_MS) * MINUTE_MS);
  if (to - from > REPARSE_LIMITS.days * DAY_MS + MINUTE_MS)
    throw new AppError('bad-input', say('extractors.reparseTooLong', { days: REPARSE_LIMITS.days }));
  return { clusterId, scopeId, from, to, source: wanted.source ?? null, which: wanted.which };
}

async function estimate(
  { eventStore }: ReparseDeps,
  scope: ExtractionScope,
  input: Wanted,
): Promise<OutputOf<typeof estimateReparse>> {
  return { ...(await countEvents(eventStore, selected(scope, input))), most: REPARSE_LIMITS.events };
}

async function counted({ eventStore }: ReparseDeps, selection: Selection): Promise<number> {
  const { events } = await countEvents(eventStore, selection);
  const most = REPARSE_LIMITS.events;
  if (events === 0) throw new AppError('conflict', say('extractors.reparseNothing'));
  if (events > most) throw new AppError('conflict', say('extractors.reparseTooMany', { events, most }));
  return events;
}

function noted(
  { audit }: ReparseDeps,
  trx: TenantTransaction,
  { clusterId, scopeId, caller }: ExtractionScope,
  action: string,
  entity: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  return audit.record({ action, who: caller, clusterId, scopeId, entity, details }, trx);
}

async function enqueue(trx: TenantTransaction, key: ReparseKey, caller: ExtractionScope['caller']) {
  const { clusterId, scopeId, reparseId } = key;
  const askedBy = { userId: caller.userId, name: caller.name };
  const payload = { scopeId, reparseId };
  await setRun(trx, key, await enqueueJob(trx, reparseRequest, { payload, clusterId, askedBy }));
}

async function begin(
  deps: ReparseDeps,
  scope: ExtractionScope,
  input: Parsed<typeof beginReparse>,
): Promise<Key> {
  const { clusterId, scopeId, caller } = scope;
  const selection = selected(scope, input);
  const total = await counted(deps, selection);
  const key = { clusterId, scopeId, reparseId: newId() };
  await closeLost(deps, scope);
  await deps.postgres.inTenant(clusterId, async (trx) => {
    await lockScope(trx, scope);
    if ((await openReparses(trx, scope)).length >= REPARSE_LIMITS.open)
      throw new AppError('conflict', say('extractors.reparseOpen', { most: REPARSE_LIMITS.open }));
    await keepNewest(trx, scope, REPARSE_LIMITS.kept - 1);
    const { source, which, from, to } = selection;
    const author = { userId: caller.userId, name: caller.name };
    const withDetections = input.with_detections;
    const range = { from, to };
    await insertReparse(trx, {
      ...{ ...key, range, source, which, withDetections, total, author, nowMs: deps.clock.now() },
    });
    await enqueue(trx, key, caller);
    const details = { source, which, from, to, events: total, with_detections: withDetections };
    await noted(deps, trx, scope, 'extractor.reparse', key.reparseId, details);
  });
  return { reparse_id: key.reparseId };
}

/** Ends the runs of a scope whose job was cancelled or given up on the page of jobs, or is gone. */
async function closeLost(
  { postgres, clock }: ReparseDeps,
  { clusterId, scopeId }: ExtractionScope,
): Promise<void> {
  const open = await postgres.inTenant(clusterId, (trx) => openReparses(trx, { clusterId, scopeId }));
  for (const { reparse_id: reparseId, run_id: runId } of open) {
    const job = runId === null ? undefined : await runState(postgres.platform, runId);
    if (job === 'waiting' || job === 'running') continue;
    await postgres.inTenant(clusterId, async (trx) => {
      const key = { clusterId, scopeId, reparseId };
      // Another job may have taken over in the meantime.
      if ((await findReparse(trx, key, true))?.run_id !== runId) return;
      await endReparse(trx, key, job === 'canceled' ? 'canceled' : 'failed', clock.now());
    });
  }
}

function saidOf(stored: string | null): Reparse['error'] {
  if (stored === null) return null;
  const { message, ...code } = readFailure(stored);
  return { message: message ?? '', ...code };
}

const itemOf = (row: ReparseRow): Reparse => ({
  reparse_id: row.reparse_id,
  state: row.state,
  start: row.from_ms,
  end: row.until_ms,
  source: row.source,
  which: row.which,
  with_detections: row.with_detections,
  total: row.total,
  done: row.done,
  changed: row.changed,
  unparsed: row.unparsed,
  error: row.state === 'failed' ? saidOf(row.error) : null,
  can_resume: row.state === 'failed' || row.state === 'canceled',
  author: row.author,
  created: row.created,
  ended: row.ended,
});

async function list(
  deps: ReparseDeps,
  scope: ExtractionScope,
  input: Parsed<typeof listReparses>,
): Promise<OutputOf<typeof listReparses>> {
  await closeLost(deps, scope);
  const page = await deps.postgres.inTenant(scope.clusterId, (trx) => pageReparses(trx, scope, input));
  return { data: page.data.map(itemOf), total_count: page.total_count };
}

const keyOf = ({ clusterId, scopeId }: ExtractionScope, reparseId: string): ReparseKey => ({
  clusterId,
  scopeId,
  reparseId,
});

/** The run, held until the transaction ends. */
async function held(trx: TenantTransaction, key: ReparseKey): Promise<ReparseRow> {
  const row = await findReparse(trx, key, true);
  if (!row) throw notFound();
  return row;
}

async function cancel(deps: ReparseDeps, scope: ExtractionScope, id: string): Promise<Key> {
  const { postgres, clock } = deps;
  const key = keyOf(scope, id);
  const runId = await postgres.inTenant(scope.clusterId, async (trx) => {
    const row = await held(trx, key);
    if (!(await endReparse(trx, key, 'canceled', clock.now())))
      throw new AppError('conflict', say('extractors.reparseEnded'));
    await noted(deps, trx, scope, 'extractor.reparse.cancel', id, { read: row.done, changed: row.changed });
    return row.run_id;
  });
  // What it is replacing it finishes; everything else is aborted.
  if (runId !== null) await markCanceled(postgres.platform, runId);
  return { reparse_id: id };
}

async function resume(deps: ReparseDeps, scope: ExtractionScope, id: string): Promise<Key> {
  const key = keyOf(scope, id);
  await closeLost(deps, scope);
  await deps.postgres.inTenant(scope.clusterId, async (trx) => {
    await lockScope(trx, scope);
    const row = await held(trx, key);
    if (row.state !== 'failed' && row.state !== 'canceled')
      throw new AppError('conflict', say('extractors.reparseGoesOn'));
    if ((await openReparses(trx, scope)).length >= REPARSE_LIMITS.open)
      throw new AppError('conflict', say('extractors.reparseOpen', { most: REPARSE_LIMITS.open }));
    await reopen(trx, key);
    await enqueue(trx, key, scope.caller);
    await noted(deps, trx, scope, 'extractor.reparse.resume', id, { read: row.done });
  });
  return { reparse_id: id };
}
