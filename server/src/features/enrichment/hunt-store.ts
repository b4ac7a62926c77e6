import type { IndicatorFind, IndicatorHunt } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { failureIn } from '../../platform/said-of-failure.ts';
import type { InScope } from './enrichment-set-store.ts';

// Hunts and what they found, in the caller's transaction.

export interface HuntKey extends InScope {
  readonly huntId: string;
}

interface HuntRow {
  readonly hunt_id: string;
  readonly table_id: string;
  readonly table_name: string;
  readonly state: IndicatorHunt['state'];
  readonly run_id: number | null;
  readonly from_at: Date;
  readonly until_at: Date;
  readonly covered_at: Date;
  readonly indicators: number;
  readonly found: number;
  readonly is_cut: boolean;
  readonly error: string | null;
  readonly author: string;
  readonly author_id: string;
  readonly created_at: Date;
  readonly ended_at: Date | null;
}

const ms = (time: Date | number): number => new Date(time).getTime();

export interface StoredHunt extends IndicatorHunt {
  readonly run_id: number | null;
}

const huntOf = (row: HuntRow): StoredHunt => ({
  ...{ hunt_id: row.hunt_id, table_id: row.table_id, table_name: row.table_name, state: row.state },
  ...{ run_id: row.run_id, from: ms(row.from_at), to: ms(row.until_at), covered: ms(row.covered_at) },
  ...{ indicators: row.indicators, events: row.found, is_cut: row.is_cut, error: failureIn(row.error) },
  ...{ author: row.author, created: ms(row.created_at), ended: row.ended_at && ms(row.ended_at) },
});

export async function insertHunt(
  trx: TenantTransaction,
  { clusterId, scopeId, huntId }: HuntKey,
  hunt: {
    readonly tableId: string;
    readonly tableName: string;
    readonly from: number;
    readonly to: number;
    readonly author: { readonly userId: string; readonly name: string };
    readonly nowMs: number;
  },
): Promise<void> {
  const { tableId, tableName, from, to, author, nowMs } = hunt;
  await sql`insert into indicator_hunt (cluster_id, scope_id, hunt_id, table_id, table_name, state, from_at, until_at,
      covered_at, author, author_id, created_at)
    values (${clusterId}, ${scopeId}, ${huntId}, ${tableId}, ${tableName}, 'waiting', ${timestamp(from)},
      ${timestamp(to)}, ${timestamp(to)}, ${author.name}, ${author.userId}, ${timestamp(nowMs)})`.execute(
    trx,
  );
}

export async function setHuntRun(
  trx: TenantTransaction,
  { clusterId, scopeId, huntId }: HuntKey,
  runId: number,
): Promise<void> {
  await sql`update indicator_hunt set run_id = ${runId}
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and hunt_id = ${huntId}`.execute(trx);
}

export async function openHunts(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
): Promise<readonly StoredHunt[]> {
  const { rows } = await sql<HuntRow>`select * from indicator_hunt
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and ended_at is null`.execute(trx);
  return rows.map(huntOf);
}

/** A hunt, held until the transaction ends where asked; null when the scope has none such. */
export async function findHunt(
  trx: TenantTransaction,
  { clusterId, scopeId, huntId }: HuntKey,
  isHeld = false,
): Promise<StoredHunt | null> {
  const { rows } = await sql<HuntRow>`select * from indicator_hunt
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and hunt_id = ${huntId}
    ${isHeld ? sql`for update` : sql``}`.execute(trx);
  return rows[0] === undefined ? null : huntOf(rows[0]);
}

export async function pageHunts(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  page: { readonly pageno: number; readonly pagesize: number },
): Promise<{ data: StoredHunt[]; total_count: number }> {
  const { rows } = await sql<HuntRow & { total: number }>`select *, count(*) over ()::integer as total
    from indicator_hunt where cluster_id = ${clusterId} and scope_id = ${scopeId}
    order by created_at desc, hunt_id limit ${page.pagesize} offset ${(page.pageno - 1) * page.pagesize}`.execute(
    trx,
  );
  return { data: rows.map(huntOf), total_count: rows[0]?.total ?? 0 };
}

/** Begins a hunt that waits or goes on with one; false when it has ended. */
export async function beginHunt(
  trx: TenantTransaction,
  { clusterId, scopeId, huntId }: HuntKey,
  indicators: number,
): Promise<boolean> {
  const { rows } = await sql`update indicator_hunt set state = 'running', indicators = ${indicators}
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and hunt_id = ${huntId} and ended_at is null
    returning 1`.execute(trx);
  return rows.length > 0;
}

/** Notes that there are more different values than are kept. */
export async function markCut(
  trx: TenantTransaction,
  { clusterId, scopeId, huntId }: HuntKey,
): Promise<void> {
  await sql`update indicator_hunt set is_cut = true
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and hunt_id = ${huntId}`.execute(trx);
}

/** Ends a hunt; false when it had ended. */
export async function endHunt(
  trx: TenantTransaction,
  { clusterId, scopeId, huntId }: HuntKey,
  state: 'done' | 'failed' | 'canceled',
  nowMs: number,
  error: string | null = null,
): Promise<boolean> {
  const { rows } =
    await sql`update indicator_hunt set state = ${state}, ended_at = ${timestamp(nowMs)}, error = ${error}
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and hunt_id = ${huntId} and ended_at is null
    returning 1`.execute(trx);
  return rows.length > 0;
}

/**
 * Adds what a piece of time held, once: on the condition that everything behind it, and nothing of it, is covered. False
 * when it is covered already, or the hunt has ended.
 */
export async function addFinds(
  trx: TenantTransaction,
  { clusterId, scopeId, huntId }: HuntKey,
  piece: { readonly from: number; readonly to: number },
  finds: readonly IndicatorFind[],
): Promise<boolean> {
  const events = finds.reduce((sum, find) => sum + find.events, 0);
  const { rows } = await sql`
    update indicator_hunt set covered_at = ${timestamp(piece.from)}, found = found + ${events}
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and hunt_id = ${huntId} and ended_at is null
      and covered_at = ${timestamp(piece.to)} returning 1`.execute(trx);
  if (rows.length === 0) return false;
  const given = finds.map((one) => ({ ...one, first: one.first / 1_000, last: one.last / 1_000 }));
  await sql`
    insert into indicator_find as old (cluster_id, scope_id, hunt_id, indicator, field, value, category, confidence,
      events, first_at, last_at)
    select ${clusterId}, ${scopeId}, ${huntId}, f.indicator, f.field, f.value, f.category, f.confidence, f.events,
      to_timestamp(f.first), to_timestamp(f.last)
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as f(indicator text, field text, value text, category text,
      confidence integer, events bigint, first double precision, last double precision)
    on conflict (cluster_id, scope_id, hunt_id, indicator, field, value) do update set
      events = old.events + excluded.events, first_at = least(old.first_at, excluded.first_at),
      last_at = greatest(old.last_at, excluded.last_at)`.execute(trx);
  return true;
}

/** How many different values the hunt has found. */
export async function countFinds(
  trx: TenantTransaction,
  { clusterId, scopeId, huntId }: HuntKey,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from indicator_find
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and hunt_id = ${huntId}`.execute(trx);
  return rows[0]?.count ?? 0;
}

export async function pageFinds(
  trx: TenantTransaction,
  { clusterId, scopeId, huntId }: HuntKey,
  page: { readonly pageno: number; readonly pagesize: number },
): Promise<{ data: IndicatorFind[]; total_count: number }> {
  const { rows } = await sql<
    Omit<IndicatorFind, 'first' | 'last'> & { first_at: Date; last_at: Date; total: number }
  >`
    select indicator, field, value, category, confidence, events, first_at, last_at,
      count(*) over ()::integer as total
    from indicator_find where cluster_id = ${clusterId} and scope_id = ${scopeId} and hunt_id = ${huntId}
    order by confidence desc, last_at desc, indicator, field, value
    limit ${page.pagesize} offset ${(page.pageno - 1) * page.pagesize}`.execute(trx);
  const data = rows.map(({ first_at, last_at, total: _total, ...find }) => ({
    ...find,
    first: ms(first_at),
    last: ms(last_at),
  }));
  return { data, total_count: rows[0]?.total ?? 0 };
}
