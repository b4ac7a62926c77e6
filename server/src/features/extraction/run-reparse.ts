import { say, storedText } from '@tyrian/contract';
import type { Clock } from '../../platform/clock.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import type { Job, JobCall } from '../../platform/jobs/job.ts';
import type { Logger } from '../../platform/log.ts';
import { saidOf } from '../../platform/said-of-failure.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { readEntry } from '../search/read-entry.ts';
import type { ExtractorLibrary } from './extractor-library.ts';
import { planUnit, type Selection } from './reparse-plan.ts';
import { type ReparsePayload, reparseRequest } from './reparse-request.ts';
import {
  beginRun,
  endReparse,
  findReparse,
  noteFailure,
  type ReparseKey,
  type ReparseRow,
  setRun,
} from './reparse-store.ts';
import { dropUnit, openUnit, runUnit, type UnitDeps, type UnitRun } from './reparse-unit.ts';

// The job of a run: unit by unit, until the range is covered or somebody stops it. What is being replaced is finished
// even then, so that no event stands twice. After a while it makes room for what else waits in the tenant.

export interface ReparseJobDeps extends UnitDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: AuditService;
  readonly library: ExtractorLibrary;
  /** How long one job works before it makes room. */
  readonly turnMs?: number;
}

const TURN_MS = 60_000;

export function reparseJob(deps: ReparseJobDeps): Job<ReparsePayload> {
  return {
    ...reparseRequest,
    run: (payload, call) => runReparse(deps, { clusterId: call.clusterId ?? '', ...payload }, call),
  };
}

/** Somebody has stopped the run. */
class Canceled extends Error {}

const selectionOf = (key: ReparseKey, row: ReparseRow): Selection => ({
  clusterId: key.clusterId,
  scopeId: key.scopeId,
  from: row.from_ms,
  to: row.until_ms,
  source: row.source,
  which: row.which,
});

/** Answers how many events were read. */
async function runReparse(deps: ReparseJobDeps, key: ReparseKey, call: JobCall): Promise<number> {
  const { postgres, clock } = deps;
  await postgres.inTenant(key.clusterId, (trx) => beginRun(trx, key));
  try {
    return await runUnits(deps, key, call);
  } catch (error) {
    if (error instanceof Canceled) return 0;
    if (call.signal.aborted && call.signal.reason === 'canceled') {
      await postgres.inTenant(key.clusterId, (trx) => endReparse(trx, key, 'canceled', clock.now()));
      return 0;
    }
    const said = saidOf(error, (reason) => say('extractors.reparseFailed', { reason }));
    if (!call.signal.aborted)
      await postgres.inTenant(key.clusterId, (trx) => noteFailure(trx, key, storedText(said)));
    throw error;
  }
}

const rowOf = ({ postgres }: ReparseJobDeps, key: ReparseKey) =>
  postgres.inTenant(key.clusterId, (trx) => findReparse(trx, key));

async function unitRunOf(
  deps: ReparseJobDeps,
  key: ReparseKey,
  row: ReparseRow,
  call: JobCall,
): Promise<UnitRun> {
  // What was published a moment ago counts.
  deps.library.forget(key.clusterId);
  return {
    key,
    selection: selectionOf(key, row),
    withDetections: row.with_detections,
    extractors: await deps.library.extractorsOf(key.clusterId),
    signal: call.signal,
    mayGoOn: (step) => {
      if (!call.signal.aborted) return;
      if (call.signal.reason !== 'canceled') throw call.signal.reason;
      if (step === 'fill') throw new Canceled();
    },
    onRead: (events) => call.progress(row.done + events, row.total),
  };
}

async function runUnits(deps: ReparseJobDeps, key: ReparseKey, call: JobCall): Promise<number> {
  const untilMs = performance.now() + (deps.turnMs ?? TURN_MS);
  let read = 0;
  for (;;) {
    const row = await rowOf(deps, key);
    if (!row) return read;
    const run = await unitRunOf(deps, key, row, call);
    if (row.unit !== null) await takeUp(deps, run, row);
    else if (row.ended !== null) return read;
    else if (call.signal.aborted) throw new Canceled();
    else if (performance.now() > untilMs) return goOnLater(deps, key, row, read);
    else {
      const planned = await planUnit(deps.eventStore, run.selection, row);
      if (!planned) return finish(deps, key, row, read);
      await noteRead(deps, key, row, planned);
      await work(deps, run, await openUnit(deps, key, planned));
    }
    read = ((await rowOf(deps, key))?.done ?? row.done) - row.done + read;
  }
}

/** Goes on with a unit that somebody left midway. One that has not begun to replace is given up when its run has ended. */
async function takeUp(deps: ReparseJobDeps, run: UnitRun, { unit, ended }: ReparseRow): Promise<void> {
  if (unit === null) return;
  if (unit.step === 'fill' && ended !== null) await dropUnit(deps, run, unit);
  else await work(deps, run, unit);
}

async function work(
  deps: ReparseJobDeps,
  run: UnitRun,
  unit: NonNullable<ReparseRow['unit']>,
): Promise<void> {
  try {
    await runUnit(deps, run, unit);
  } catch (error) {
    const isCanceled = run.signal.aborted && run.signal.reason === 'canceled';
    if (!isCanceled) throw error;
    const now = await rowOf(deps, run.key);
    if (now?.unit?.step === 'fill') await dropUnit(deps, run, now.unit);
    else throw error;
    throw new Canceled();
  }
}

/** What is read is in the audit trail before any of it is read. */
async function noteRead(
  { audit }: ReparseJobDeps,
  { clusterId, scopeId, reparseId }: ReparseKey,
  row: ReparseRow,
  range: { readonly from: number; readonly to: number },
): Promise<void> {
  const query = row.source === null ? 'Events' : `Events | where SourceName == ${JSON.stringify(row.source)}`;
  const entry = readEntry(
    'extractor.reparse.read',
    { clusterId, scopeId, query, range },
    { which: row.which },
  );
  await audit.record({ ...entry, who: { userId: row.author_id, name: row.author }, entity: reparseId });
}

async function finish(
  { postgres, clock, audit }: ReparseJobDeps,
  key: ReparseKey,
  row: ReparseRow,
  read: number,
): Promise<number> {
  const { clusterId, scopeId, reparseId } = key;
  await postgres.inTenant(clusterId, async (trx) => {
    if (!(await endReparse(trx, key, 'done', clock.now()))) return;
    const { done, changed, unparsed } = row;
    const entry = { action: 'extractor.reparse.end', clusterId, scopeId, entity: reparseId };
    const who = { userId: row.author_id, name: row.author };
    await audit.record({ ...entry, who, source: '', details: { read: done, changed, unparsed } }, trx);
  });
  return read;
}

async function goOnLater(
  { postgres }: ReparseJobDeps,
  key: ReparseKey,
  row: ReparseRow,
  read: number,
): Promise<number> {
  const { clusterId, scopeId, reparseId } = key;
  await postgres.inTenant(clusterId, async (trx) => {
    const now = await findReparse(trx, key, true);
    if (!now || now.ended !== null) return;
    const askedBy = { userId: row.author_id, name: row.author };
    const payload = { scopeId, reparseId };
    await setRun(trx, key, await enqueueJob(trx, reparseRequest, { payload, clusterId, askedBy }));
  });
  return read;
}
