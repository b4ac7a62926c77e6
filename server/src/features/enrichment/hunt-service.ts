import {
  HUNT_LIMITS,
  type listHunts,
  type OutputOf,
  type readHunt,
  say,
  type startHunt,
  storedText,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import { markCanceled, runState } from '../../platform/jobs/cancel-run.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import { newId } from '../../platform/new-id.ts';
import { readEntry } from '../search/read-entry.ts';
import type { EnrichmentDeps, ScopeCaller } from './enrichment-service.ts';
import { lockTable } from './enrichment-store.ts';
import { endHunt, findHunt, insertHunt, openHunts, pageFinds, pageHunts, setHuntRun } from './hunt-store.ts';
import { huntRequest } from './run-hunt.ts';

// Hunts as people see them: started, watched, stopped, read.

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;

export interface HuntService {
  /** Throws `not-found` for a list that is not there, `bad-input` for the range, `conflict` for too many. */
  begin(scope: ScopeCaller, input: Parsed<typeof startHunt>): Promise<{ hunt_id: string }>;
  list(scope: ScopeCaller, input: Parsed<typeof listHunts>): Promise<OutputOf<typeof listHunts>>;
  /** Throws `not-found`. */
  read(scope: ScopeCaller, input: Parsed<typeof readHunt>): Promise<OutputOf<typeof readHunt>>;
  /** Throws `not-found`, `conflict` when it has ended. */
  cancel(scope: ScopeCaller, huntId: string): Promise<{ hunt_id: string }>;
}

export function createHuntService(deps: EnrichmentDeps): HuntService {
  return bindDeps(deps, { begin, list, read, cancel });
}

const DAY_MS = 86_400_000;

async function begin(deps: EnrichmentDeps, scope: ScopeCaller, input: Parsed<typeof startHunt>) {
  const { postgres, clock, audit } = deps;
  const { clusterId, scopeId, caller } = scope;
  const { start: from, end } = input;
  const nowMs = clock.now();
  const to = Math.min(end, nowMs);
  if (to <= from || to - from > HUNT_LIMITS.days * DAY_MS)
    throw new AppError('bad-input', say('enrichment.huntRange', { days: HUNT_LIMITS.days }));
  await closeLost(deps, scope);
  const key = { clusterId, scopeId, huntId: newId() };
  await postgres.inTenant(clusterId, async (trx) => {
    const table = await lockTable(trx, scope, input.table_id);
    if (table?.kind !== 'indicators') throw notFound();
    if ((await openHunts(trx, scope)).length >= HUNT_LIMITS.open)
      throw new AppError('conflict', say('enrichment.tooManyHunts', { most: HUNT_LIMITS.open }));
    const author = { userId: caller.userId, name: caller.name };
    const about = { tableId: input.table_id, tableName: table.name, from, to, author, nowMs };
    await insertHunt(trx, key, about);
    const payload = { scopeId, huntId: key.huntId };
    await setHuntRun(trx, key, await enqueueJob(trx, huntRequest, { payload, clusterId, askedBy: author }));
    const details = { list: table.name, from, to };
    const entry = { action: 'enrichment.hunt.start', who: caller, clusterId, scopeId, entity: key.huntId };
    await audit.record({ ...entry, details }, trx);
  });
  return { hunt_id: key.huntId };
}

/** Ends hunts whose job was cancelled or given up on the page of jobs, or is gone. */
async function closeLost({ postgres, clock }: EnrichmentDeps, scope: ScopeCaller): Promise<void> {
  const { clusterId, scopeId } = scope;
  const open = await postgres.inTenant(clusterId, (trx) => openHunts(trx, scope));
  for (const { hunt_id: huntId, run_id: runId } of open) {
    const job = runId === null ? undefined : await runState(postgres.platform, runId);
    if (job === 'waiting' || job === 'running') continue;
    const state = job === 'canceled' ? 'canceled' : 'failed';
    const error = state === 'failed' ? storedText(say('enrichment.huntGivenUp')) : null;
    await postgres.inTenant(clusterId, (trx) =>
      endHunt(trx, { clusterId, scopeId, huntId }, state, clock.now(), error),
    );
  }
}

async function list(deps: EnrichmentDeps, scope: ScopeCaller, input: Parsed<typeof listHunts>) {
  await closeLost(deps, scope);
  return deps.postgres.inTenant(scope.clusterId, (trx) => pageHunts(trx, scope, input));
}

async function read(deps: EnrichmentDeps, scope: ScopeCaller, input: Parsed<typeof readHunt>) {
  await closeLost(deps, scope);
  const { clusterId, scopeId } = scope;
  const key = { clusterId, scopeId, huntId: input.hunt_id };
  const answer = await deps.postgres.inTenant(clusterId, async (trx) => {
    const hunt = await findHunt(trx, key);
    if (!hunt) throw notFound();
    return { hunt, finds: await pageFinds(trx, key, input) };
  });
  const { from, to, table_name: query } = answer.hunt;
  const entry = readEntry(
    'enrichment.hunt.read',
    { clusterId, scopeId, query, range: { from, to } },
    { rows: answer.finds.data.length },
  );
  await deps.audit.record({ ...entry, entity: input.hunt_id });
  return answer;
}

async function cancel({ postgres, clock, audit }: EnrichmentDeps, scope: ScopeCaller, huntId: string) {
  const { clusterId, scopeId, caller } = scope;
  const key = { clusterId, scopeId, huntId };
  const runId = await postgres.inTenant(clusterId, async (trx) => {
    const hunt = await findHunt(trx, key, true);
    if (!hunt) throw notFound();
    if (!(await endHunt(trx, key, 'canceled', clock.now())))
      throw new AppError('conflict', say('enrichment.huntEnded'));
    const entry = { action: 'enrichment.hunt.cancel', who: caller, clusterId, scopeId, entity: huntId };
    await audit.record({ ...entry, details: { list: hunt.table_name } }, trx);
    return hunt.run_id;
  });
  // What it runs is aborted; what it would still write is refused.
  if (runId !== null) await markCanceled(postgres.platform, runId);
  return { hunt_id: huntId };
}
