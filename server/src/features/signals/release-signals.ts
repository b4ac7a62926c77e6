import { allowanceOf, PRODUCT_TYPES, type ProductType } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { tenantSweep } from '../identity/tenants/tenant-sweep.ts';

// A plan allows so many tracked signals. When there are more, the oldest of those that somebody has reviewed and
// that stand in no case are released: they leave the queue, and their events stay in the stream Signals. What nobody has
// reviewed is never taken away, and no new signal is refused, whatever the plan.

/** Younger than this a signal may still grow, or be raised again by events that come late. */
const SETTLED_MS = 30 * 86_400_000;
const AT_ONCE = 5_000;

export interface ReleaseDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly planOf: (clusterId: string) => Promise<ProductType>;
}

/**
 * Tenants with more signals than the smallest plan allows: counted over the index of all, so no more than a few
 * times a day.
 */
function tenantsWithManySignals(postgres: Postgres): Promise<readonly { readonly clusterId: string }[]> {
  const fewest = Math.min(...PRODUCT_TYPES.map((plan) => allowanceOf(plan, 'tracked_signals')));
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'signal_limits', true)`.execute(trx);
    const { rows } = await sql<{ clusterId: string }>`
      select cluster_id as "clusterId" from signal group by cluster_id having count(*) > ${fewest}`.execute(
      trx,
    );
    return rows;
  });
}

async function releaseSome(
  trx: TenantTransaction,
  clusterId: string,
  most: number,
  before: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from signal where cluster_id = ${clusterId} and signal_id in (
      select signal_id from signal
      where cluster_id = ${clusterId} and triaged_at is not null and case_ids = '{}' and last_at < ${timestamp(before)}
      order by last_at limit ${most})`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/** Makes the answer to how many signals of a tenant were released. */
export function createSignalRelease({ postgres, clock, audit, planOf }: ReleaseDeps) {
  return async (clusterId: string): Promise<number> => {
    const allowed = allowanceOf(await planOf(clusterId), 'tracked_signals');
    let released = 0;
    for (;;) {
      const some = await postgres.inTenant(clusterId, async (trx) => {
        const { rows } = await sql<{ tracked: number }>`
          select count(*) as tracked from signal where cluster_id = ${clusterId}`.execute(trx);
        const surplus = (rows[0]?.tracked ?? 0) - allowed;
        if (surplus <= 0) return 0;
        const gone = await releaseSome(trx, clusterId, Math.min(surplus, AT_ONCE), clock.now() - SETTLED_MS);
        const details = { released: gone, allowed };
        const entry = { action: 'signal.release', who: null, source: '', clusterId, details };
        if (gone > 0) await audit.record(entry, trx);
        return gone;
      });
      released += some;
      if (some === 0) break;
    }
    return released;
  };
}

/** The jobs that keep each tenant within the signals of its plan, a few times a day. */
export const signalLimits = (deps: ReleaseDeps): readonly AnyJob[] =>
  tenantSweep({
    postgres: deps.postgres,
    kind: 'signal-limits',
    schedule: '40 */6 * * *',
    tenantsWithWork: () => tenantsWithManySignals(deps.postgres),
    sweep: createSignalRelease(deps),
  });
