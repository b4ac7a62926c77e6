import type { TimeText } from '@tyrian/contract';
import { sql } from 'kysely';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { SearchTables } from './search-tables.ts';

// What each user searched, per scope. The id of an entry is the id of its task.

export type SearchStatus = 'running' | 'done' | 'failed' | 'cancelled';

export interface SearchHistoryEntry {
  readonly id: string;
  readonly userId: string;
  readonly scopeId: string;
  readonly query: string;
  readonly from: TimeText;
  readonly to: TimeText;
  readonly queryTimezone: string;
  readonly startedMs: number;
  readonly status: SearchStatus;
  readonly rowCount: number | null;
  readonly elapsedMs: number | null;
}

export interface SearchEnd {
  readonly status: SearchStatus;
  readonly rowCount: number;
  readonly elapsedMs: number;
}

/** A text with the last time that it was searched. */
export interface PastSearch extends SearchHistoryEntry {
  readonly times: number;
}

export interface WantedHistory {
  /** Words that the query holds, in any order and any case; empty: all. */
  readonly search: string;
  /** Entries that started before this moment only. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface SearchHistoryStore {
  /** In the transaction that makes the task known, so that neither stands without the other. */
  add(trx: TenantTransaction, clusterId: string, entry: SearchHistoryEntry): Promise<void>;
  /** In the transaction that ends the task. */
  end(trx: TenantTransaction, clusterId: string, id: string, end: SearchEnd): Promise<void>;
  /** Texts that their owner has not deleted, each as it ran last, newest first. */
  list(clusterId: string, userId: string, scopeId: string, wanted: WantedHistory): Promise<PastSearch[]>;
  /** Hides all entries of the user with the texts of these; all in the scope when `ids` is empty. Answers how many. `told` is the last step. */
  hide(
    clusterId: string,
    userId: string,
    scopeId: string,
    ids: readonly string[],
    told: (trx: TenantTransaction, changed: number) => Promise<void>,
  ): Promise<number>;
}

/** How often a text was searched, and which of those times a row is, 1 for the last. */
const timesOfText = sql<string>`count(*) over (partition by query)`.as('times');
const rankOfText = sql<string>`row_number() over (partition by query order by started_at desc, id)`.as(
  'rank',
);

const tables = (trx: TenantTransaction) => trx.withTables<SearchTables>();

export function createSearchHistoryStore(postgres: Postgres): SearchHistoryStore {
  return { add, end, ...bindDeps(postgres, { list, hide }) };
}

async function add(trx: TenantTransaction, clusterId: string, entry: SearchHistoryEntry): Promise<void> {
  await tables(trx)
    .insertInto('search_history')
    .values({
      cluster_id: clusterId,
      id: entry.id,
      user_id: entry.userId,
      scope_id: entry.scopeId,
      query: entry.query,
      range_from: JSON.stringify(entry.from),
      range_to: JSON.stringify(entry.to),
      query_timezone: entry.queryTimezone,
      started_at: timestamp(entry.startedMs),
      status: entry.status,
      row_count: entry.rowCount,
      elapsed_ms: entry.elapsedMs,
      hidden: false,
    })
    .execute();
}

async function end(
  trx: TenantTransaction,
  clusterId: string,
  id: string,
  { status, rowCount, elapsedMs }: SearchEnd,
): Promise<void> {
  await tables(trx)
    .updateTable('search_history')
    .set({ status, row_count: rowCount, elapsed_ms: elapsedMs })
    .where('cluster_id', '=', clusterId)
    .where('id', '=', id)
    .execute();
}

function list(
  postgres: Postgres,
  clusterId: string,
  userId: string,
  scopeId: string,
  { search, before, limit }: WantedHistory,
): Promise<PastSearch[]> {
  return postgres.inTenant(clusterId, async (trx) => {
    let own = tables(trx)
      .selectFrom('search_history')
      .selectAll()
      .select([timesOfText, rankOfText])
      .where('cluster_id', '=', clusterId)
      .where('user_id', '=', userId)
      .where('scope_id', '=', scopeId)
      .where('hidden', '=', false);
    for (const word of search.split(/\s+/).filter((each) => each !== ''))
      own = own.where('query', 'ilike', `%${word.replace(/[\\%_]/g, '\\$&')}%`);
    let wanted = tables(trx).selectFrom(own.as('own')).selectAll().where('rank', '=', '1');
    if (before !== undefined) wanted = wanted.where('started_at', '<', timestamp(before));
    const rows = await wanted.orderBy('started_at', 'desc').orderBy('id').limit(limit).execute();
    return rows.map((row) => ({
      id: row.id,
      userId: row.user_id,
      scopeId: row.scope_id,
      query: row.query,
      from: row.range_from as TimeText,
      to: row.range_to as TimeText,
      queryTimezone: row.query_timezone,
      startedMs: row.started_at,
      status: row.status as SearchStatus,
      rowCount: row.row_count,
      elapsedMs: row.elapsed_ms,
      times: Number(row.times),
    }));
  });
}

function hide(
  postgres: Postgres,
  clusterId: string,
  userId: string,
  scopeId: string,
  ids: readonly string[],
  told: (trx: TenantTransaction, changed: number) => Promise<void>,
): Promise<number> {
  return postgres.inTenant(clusterId, async (trx) => {
    let update = tables(trx)
      .updateTable('search_history')
      .set({ hidden: true })
      .where('cluster_id', '=', clusterId)
      .where('user_id', '=', userId)
      .where('scope_id', '=', scopeId)
      .where('hidden', '=', false);
    if (ids.length > 0) {
      const texts = tables(trx)
        .selectFrom('search_history')
        .select('query')
        .where('cluster_id', '=', clusterId)
        .where('user_id', '=', userId)
        .where('scope_id', '=', scopeId)
        .where('id', 'in', ids);
      update = update.where('query', 'in', texts);
    }
    const { numUpdatedRows } = await update.executeTakeFirst();
    await told(trx, Number(numUpdatedRows));
    return Number(numUpdatedRows);
  });
}
