import { z } from 'zod';
import { enqueueJob } from '../../../platform/jobs/enqueue-job.ts';
import { type AnyJob, type Job, scheduledJob, UNTIL_DONE } from '../../../platform/jobs/job.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';

/**
 * Two jobs: one that finds by the clock, in one question for all tenants, where there may be something to do, and one for
 * each of these tenants that does it. Tenants without work cost nothing, and one that fails does not hold up the others.
 * `sweep` answers how many records it removed.
 */
export function tenantSweep(deps: {
  readonly postgres: Postgres;
  readonly kind: string;
  readonly schedule: string;
  readonly tenantsWithWork: () => Promise<readonly { readonly clusterId: string }[]>;
  readonly sweep: (clusterId: string) => Promise<number>;
}): readonly AnyJob[] {
  const ofTenant: Job<object> = {
    kind: `${deps.kind}-of-tenant`,
    payload: z.object({}),
    slotsPerTenant: 1,
    retry: UNTIL_DONE,
    run: (_nothing, { clusterId }) => deps.sweep(clusterId ?? ''),
  };
  const ofAll = scheduledJob(deps.kind, deps.schedule, async () => {
    const tenants = await deps.tenantsWithWork();
    for (const { clusterId } of tenants) {
      await enqueueJob(deps.postgres.platform, ofTenant, { payload: {}, clusterId, key: 'sweep' });
    }
    return tenants.length;
  });
  return [ofAll, ofTenant];
}
