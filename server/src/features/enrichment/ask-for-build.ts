import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { buildRequest } from './build-request.ts';
import type { InScope } from './enrichment-set-store.ts';
import { noteBuild } from './enrichment-store.ts';

/** Asks for a build, in the transaction of the act that needs it; one that waits already is enough. */
export async function askForBuild(
  trx: TenantTransaction,
  scope: InScope & { readonly caller?: { readonly userId: string; readonly name: string } },
  tableId: string,
): Promise<void> {
  const { clusterId, scopeId, caller } = scope;
  const payload = { scopeId, tableId };
  const askedBy = caller ? { userId: caller.userId, name: caller.name } : null;
  const runId = await enqueueJob(trx, buildRequest, { payload, clusterId, key: tableId, askedBy });
  await noteBuild(trx, scope, tableId, runId);
}
