import type { CASE_SORT_KEYS, Severity } from '@tyrian/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Timestamp, timestamp } from '../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import { CASE_SORTS, type CaseFilter, filtersCondition } from './case-filters.ts';
import type { CaseDb, CaseRow } from './case-tables.ts';

// Many cases at once: list, statistics, days. The scope is the first condition of every statement.

export interface CaseSelection {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly search: string;
  readonly filters: readonly CaseFilter[];
  /** Several scopes of the tenant instead of the one given. */
  readonly scopeIds?: readonly string[];
}

export interface CaseListPage {
  readonly sortBy: (typeof CASE_SORT_KEYS)[number];
  readonly sortOrder: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

function selected(scope: ScopeRef, wanted: CaseSelection): RawBuilder<boolean> {
  const search = wanted.search.trim().toLowerCase();
  const scopes = [...(wanted.scopeIds ?? [scope.scopeId])];
  return sql<boolean>`c.cluster_id = ${scope.clusterId} and c.scope_id = any(${scopes}::text[])
    ${wanted.start === undefined ? sql`` : sql`and c.created_at >= ${timestamp(wanted.start)}`}
    ${wanted.end === undefined ? sql`` : sql`and c.created_at < ${timestamp(wanted.end)}`}
    and (strpos(lower(c.case_name), ${search}) > 0 or lower('CASE-' || c.number) = ${search})
    and ${filtersCondition(wanted.filters)}`;
}

/** A page of cases and how many there are in all. */
export async function selectCases(
  db: CaseDb,
  scope: ScopeRef,
  wanted: CaseSelection,
  page: CaseListPage,
): Promise<{ rows: CaseRow[]; total: number }> {
  const where = selected(scope, wanted);
  const order = page.sortOrder === 'asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<CaseRow>`select c.* from incident_case c where ${where}
    order by ${CASE_SORTS[page.sortBy]} ${order} nulls last, c.number desc
    limit ${page.limit} offset ${page.offset}`.execute(db);
  const counted = await sql<{
    total: number;
  }>`select count(*) as total from incident_case c where ${where}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export interface CaseTotals {
  readonly total: number;
  readonly severity: Partial<Record<Severity, number>>;
  readonly open_unassigned: number;
  readonly open_assigned: number;
  readonly in_progress: number;
  readonly on_hold: number;
  readonly closed: number;
  /** Means in seconds. */
  readonly mtta: number | null;
  readonly mttr: number | null;
  readonly open_age: number | null;
}

/** Figures over the same cases that a list would find. */
export async function selectCaseTotals(
  db: CaseDb,
  scope: ScopeRef,
  wanted: CaseSelection,
  now: number,
): Promise<CaseTotals> {
  const { rows } = await sql<CaseTotals>`
    with c as (select * from incident_case c where ${selected(scope, wanted)})
    select count(*) as total,
      (select coalesce(jsonb_object_agg(severity, n), '{}') from
        (select severity, count(*) as n from c group by severity) s) as severity,
      count(*) filter (where status = 'OPEN' and handler_id is null) as open_unassigned,
      count(*) filter (where status = 'OPEN' and handler_id is not null) as open_assigned,
      count(*) filter (where status = 'IN-PROGRESS') as in_progress,
      count(*) filter (where status = 'ON-HOLD') as on_hold,
      count(*) filter (where status = 'CLOSED') as closed,
      extract(epoch from avg(greatest(interval '0', created_at - oldest_signal_at))
        filter (where oldest_signal_at is not null))::float8 as mtta,
      (avg(worked_ms) filter (where status = 'CLOSED') / 1000)::float8 as mttr,
      extract(epoch from avg(${timestamp(now)} - created_at) filter (where status <> 'CLOSED'))::float8 as open_age
    from c`.execute(db);
  const [totals] = rows;
  if (!totals) throw new Error('an aggregate without a row');
  return totals;
}

export async function selectTopHandlers(
  db: CaseDb,
  scope: ScopeRef,
  wanted: CaseSelection,
): Promise<{ user_id: string; name: string; count: number }[]> {
  const { rows } = await sql<{ user_id: string; name: string; count: number }>`
    select c.handler_id as user_id, max(c.handler_name) as name, count(*) as count from incident_case c
    where ${selected(scope, wanted)} and c.handler_id is not null
    group by c.handler_id order by count desc, name limit 10`.execute(db);
  return rows;
}

export async function selectOldestOpen(
  db: CaseDb,
  scope: ScopeRef,
  wanted: CaseSelection,
): Promise<CaseRow | undefined> {
  const { rows } = await sql<CaseRow>`select c.* from incident_case c
    where ${selected(scope, wanted)} and c.status <> 'CLOSED' order by c.created_at, c.number limit 1`.execute(
    db,
  );
  return rows[0];
}

/** Cases created and closed on each UTC day that the range touches. */
export async function selectCaseDays(
  db: CaseDb,
  scope: ScopeRef,
  start: number,
  end: number,
): Promise<{ day: string; created: number; closed: number }[]> {
  const day = (at: RawBuilder<Timestamp>) => sql`(${at} at time zone 'UTC')::date`;
  const within = (at: RawBuilder<Timestamp>) =>
    sql`${at} >= ${timestamp(start)} and ${at} < ${timestamp(end)}`;
  const created = sql<Timestamp>`created_at`;
  const closed = sql<Timestamp>`closed_at`;
  const { rows } = await sql<{ day: string; created: number; closed: number }>`
    with c as (select * from incident_case
        where cluster_id = ${scope.clusterId} and scope_id = ${scope.scopeId}),
      made as (select ${day(created)} as day, count(*) as n from c where ${within(created)} group by 1),
      done as (select ${day(closed)} as day, count(*) as n from c where ${within(closed)} group by 1)
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(made.n, 0) as created, coalesce(done.n, 0) as closed
    from (select generate_series(${day(timestamp(start))}, ${day(timestamp(end - 1))}, '1 day')::date as day) d
    left join made on made.day = d.day left join done on done.day = d.day order by d.day`.execute(db);
  return rows;
}
