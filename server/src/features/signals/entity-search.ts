import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// Entities by a part of their value, most named first. Only signals of the scope count.

interface FoundEntity {
  readonly type: string;
  readonly value: string;
  readonly role: 'suspect' | 'target';
  readonly signal_count: number;
}

export type EntitySearch = (scope: ScopeRef, text: string, limit: number) => Promise<FoundEntity[]>;

export function createEntitySearch(postgres: Postgres): EntitySearch {
  return (scope, text, limit) =>
    postgres.inTenant(scope.clusterId, async (trx) => {
      const { rows } = await sql<FoundEntity>`
        select e.type, e.value, count(distinct e.signal_id)::int as signal_count,
          (array_agg(e.role order by s.last_at desc))[1] as role
        from signal_entity e
        join signal s on s.cluster_id = e.cluster_id and s.signal_id = e.signal_id
        where e.cluster_id = ${scope.clusterId} and s.scope_id = ${scope.scopeId}
          and strpos(lower(e.value), ${text.toLowerCase()}) > 0
        group by e.type, e.value
        order by signal_count desc, e.value
        limit ${limit}`.execute(trx);
      return rows;
    });
}
