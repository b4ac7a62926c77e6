import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

const MOST_CASES = 2_000;
const MOST_SIGNALS = 20_000;

/** Signals of the newest cases of a scope that were closed as true positives since a time. */
export async function confirmedSignals(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  sinceMs: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ signal_id: string }>`
    with confirmed as (
      select case_id from incident_case where cluster_id = ${clusterId} and scope_id = ${scopeId}
        and status = 'CLOSED' and resolution = 'true_positive' and closed_at >= ${timestamp(sinceMs)}
      order by closed_at desc limit ${MOST_CASES})
    select distinct s.signal_id from confirmed c join case_signal s on s.cluster_id = ${clusterId}
      and s.case_id = c.case_id limit ${MOST_SIGNALS}`.execute(trx);
  return rows.map((row) => row.signal_id);
}
