import { sql } from 'kysely';
import type { DomainEventKind } from '../../platform/events/domain-event.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

export interface NewsRow {
  readonly event_id: number;
  readonly kind: DomainEventKind;
  readonly object_id: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly created_at: number;
}

/**
 * The newest events of a scope that became visible since a cursor, and the next cursor: the oldest transaction that is
 * still open now. Whatever it or a later one writes is seen from there, so nothing is missed; what later ones have
 * written already is seen again.
 */
export async function selectNews(
  trx: TenantTransaction,
  scope: ScopeRef,
  since: string | undefined,
  limit: number,
): Promise<{ cursor: string; rows: NewsRow[] }> {
  const { rows } = await sql<NewsRow & { cursor: string }>`
    select now.cursor, e.event_id, e.kind, e.object_id, e.actor_id, e.actor_name, e.details, e.created_at
    from (select pg_snapshot_xmin(pg_current_snapshot())::text as cursor) as now
    left join lateral (
      select * from domain_event
      where cluster_id = ${scope.clusterId} and scope_id = ${scope.scopeId}
        and ${since ?? null}::text is not null and transaction_id >= ${since ?? '0'}::xid8
        and (kind = 'signal.raised' or kind like 'case.%')
      order by event_id desc limit ${limit}) as e on true
    order by e.event_id desc`.execute(trx);
  const cursor = rows[0]?.cursor;
  if (cursor === undefined) throw new Error('a snapshot without a transaction');
  return { cursor, rows: rows.filter((row) => row.event_id !== null) };
}
