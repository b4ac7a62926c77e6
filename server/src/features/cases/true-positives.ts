import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

/** The newest cases that are looked at, and their signals. */
const CASES = 2_000;
const SIGNALS = 20_000;

/** Signals of cases of a scope that were closed as true positives, with when they were closed last. */
export const truePositives =
  (postgres: Postgres) =>
  ({ clusterId, scopeId }: ScopeRef): Promise<ReadonlyMap<string, number>> =>
    postgres.inTenant(clusterId, async (trx) => {
      const { rows } = await sql<{ id: string; at: number }>`
        with closed as (
          select case_id, closed_at from incident_case
          where cluster_id = ${clusterId} and scope_id = ${scopeId} and resolution = 'true_positive'
            and closed_at is not null
          order by closed_at desc limit ${CASES})
        select s.signal_id as id, max(c.closed_at) as at from closed c
          join case_signal s on s.cluster_id = ${clusterId} and s.case_id = c.case_id
        group by s.signal_id order by 2 desc limit ${SIGNALS}`.execute(trx);
      return new Map(rows.map(({ id, at }) => [id, at]));
    });
