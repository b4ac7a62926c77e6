import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  type ResultColumn,
  type ResultValue,
  type SearchDiagnostic,
  type SearchNotice,
  say,
  type TaskStage,
  type TaskState,
} from '@tyrian/contract';
import type { Insertable, Selectable, Updateable } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson, storableText } from '../../platform/postgres/storable.ts';
import type { SearchTables, SearchTaskTable } from './search-tables.ts';

// Tasks and their rows in PostgreSQL, so that any process answers for a task that another one runs.

export interface SearchTask {
  readonly id: string;
  readonly userId: string;
  readonly scopeId: string;
  readonly queryId: string;
  readonly queue: string;
  readonly stage: TaskStage;
  readonly state: TaskState;
  /** By code, as `storedText` writes it. */
  readonly message: string;
  readonly diagnostics: readonly SearchDiagnostic[];
  readonly notices: readonly SearchNotice[];
  readonly columns: readonly ResultColumn[];
  readonly streams: readonly string[];
  readonly rangeFromMs: number | null;
  readonly rangeToMs: number | null;
  readonly rowCount: number;
  readonly truncated: boolean;
  readonly rowsRead: number;
  readonly bytesRead: number;
  readonly rowsToRead: number;
  readonly share: number;
  readonly engineMs: number;
  readonly startedMs: number;
  readonly heartbeatMs: number;
  readonly endedMs: number | null;
  readonly expiresMs: number;
}

export type TaskChange = Partial<Omit<SearchTask, 'id' | 'userId' | 'scopeId' | 'queryId' | 'startedMs'>>;

/** Writes into the transaction of a change who made it; `changed` is how much there was to change. */
export type Told = (trx: TenantTransaction, changed: number) => Promise<void>;

export type ResultRow = readonly ResultValue[];

export interface SearchTaskStore {
  add(clusterId: string, task: SearchTask): Promise<void>;
  /** Null when the tenant has no such task of that user, or it has expired. */
  find(clusterId: string, userId: string, id: string, nowMs: number): Promise<SearchTask | null>;
  /** Changes a task that has not ended; false when it has. `told` is the last step of the transaction either way. */
  change(clusterId: string, id: string, change: TaskChange, told?: Told): Promise<boolean>;
  /** Takes away what a task has found, and says why, whether it has ended or not. */
  withdraw(clusterId: string, id: string, message: string, nowMs: number): Promise<void>;
  addRows(clusterId: string, id: string, firstRow: number, rows: readonly ResultRow[]): Promise<void>;
  /** Rows `from` to `to` (excluded), counted from 0. Throws AppError `bad-input` when they are too large for one page. */
  rows(clusterId: string, id: string, from: number, to: number): Promise<ResultRow[]>;
  countLive(clusterId: string, userId: string): Promise<number>;
}

/** Text of the rows of one page, as they are answered. */
const MOST_PAGE_BYTES = 32 * 1024 * 1024;

const pageTooLarge = (): AppError =>
  new AppError('bad-input', say('search.pageTooLarge', { most: MOST_PAGE_BYTES / 1024 ** 2 }), {
    limit: 'page_bytes',
    allowed: MOST_PAGE_BYTES,
  });

// On threads of their own: a large piece must not hold up what else the process does.
const compressed = promisify<Buffer, { level: number }, Buffer>(gzip);
const unpacked = promisify<Buffer, Buffer>(gunzip);

const tables = (trx: TenantTransaction) => trx.withTables<SearchTables>();

export function createSearchTaskStore(postgres: Postgres): SearchTaskStore {
  return {
    add: (clusterId, task) =>
      postgres.inTenant(clusterId, async (trx) => {
        await tables(trx)
          .insertInto('search_task')
          .values({
            cluster_id: clusterId,
            id: task.id,
            user_id: task.userId,
            scope_id: task.scopeId,
            query_id: task.queryId,
            started_ms: task.startedMs,
            ...columnsOf(task),
          } as Insertable<SearchTaskTable>)
          .execute();
      }),
    find: (clusterId, userId, id, nowMs) =>
      postgres.inTenant(clusterId, async (trx) => {
        const row = await tables(trx)
          .selectFrom('search_task')
          .selectAll()
          .where('cluster_id', '=', clusterId)
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .where('expires_ms', '>', nowMs)
          .executeTakeFirst();
        return row ? taskOf(row) : null;
      }),
    change: (clusterId, id, change, told) =>
      postgres.inTenant(clusterId, async (trx) => {
        const { numUpdatedRows } = await tables(trx)
          .updateTable('search_task')
          .set(columnsOf(change))
          .where('cluster_id', '=', clusterId)
          .where('id', '=', id)
          .where('stage', 'in', ['PENDING', 'EXECUTING'])
          .executeTakeFirst();
        await told?.(trx, Number(numUpdatedRows));
        return numUpdatedRows > 0n;
      }),
    withdraw: (clusterId, id, message, nowMs) =>
      postgres.inTenant(clusterId, async (trx) => {
        const ended = { stage: 'FAILURE', state: 'FAILED', message, rowCount: 0, endedMs: nowMs } as const;
        await tables(trx)
          .updateTable('search_task')
          .set({ ...columnsOf(ended), kept_bytes: 0 })
          .where('cluster_id', '=', clusterId)
          .where('id', '=', id)
          .execute();
        await tables(trx)
          .deleteFrom('search_task_chunk')
          .where('cluster_id', '=', clusterId)
          .where('task_id', '=', id)
          .execute();
      }),
    addRows: async (clusterId, id, firstRow, rows) => {
      const text = Buffer.from(JSON.stringify(rows));
      const body = await compressed(text, { level: 1 });
      await postgres.inTenant(clusterId, async (trx) => {
        await tables(trx)
          .insertInto('search_task_chunk')
          .values({
            cluster_id: clusterId,
            task_id: id,
            first_row: firstRow,
            row_count: rows.length,
            text_bytes: text.length,
            body,
          })
          .execute();
        await tables(trx)
          .updateTable('search_task')
          .set((task) => ({ kept_bytes: task('kept_bytes', '+', body.length) }))
          .where('cluster_id', '=', clusterId)
          .where('id', '=', id)
          .execute();
      });
    },
    rows: async (clusterId, id, from, to) => {
      const chunks = await postgres.inTenant(clusterId, async (trx) => {
        const wanted = tables(trx)
          .selectFrom('search_task_chunk')
          .where('cluster_id', '=', clusterId)
          .where('task_id', '=', id)
          .where('first_row', '<', to)
          .where((where) => where(where('first_row', '+', where.ref('row_count')), '>', from));
        const { text } = await wanted
          .select((select) => select.fn.sum<number | null>('text_bytes').as('text'))
          .executeTakeFirstOrThrow();
        if (Number(text ?? 0) > MOST_PAGE_BYTES) throw pageTooLarge();
        return wanted.select(['first_row', 'body']).orderBy('first_row').execute();
      });
      const found: ResultRow[] = [];
      for (const chunk of chunks) {
        const rows = JSON.parse((await unpacked(chunk.body)).toString('utf8')) as ResultRow[];
        found.push(...rows.slice(Math.max(0, from - chunk.first_row), to - chunk.first_row));
      }
      return found;
    },
    countLive: (clusterId, userId) =>
      postgres.inTenant(clusterId, async (trx) => {
        const { live } = await tables(trx)
          .selectFrom('search_task')
          .select((select) => select.fn.countAll<number>().as('live'))
          .where('cluster_id', '=', clusterId)
          .where('user_id', '=', userId)
          .where('stage', 'in', ['PENDING', 'EXECUTING'])
          .executeTakeFirstOrThrow();
        return Number(live);
      }),
  };
}

const COLUMN_NAMES = {
  queue: 'queue',
  stage: 'stage',
  state: 'state',
  message: 'message',
  rangeFromMs: 'range_from_ms',
  rangeToMs: 'range_to_ms',
  rowCount: 'row_count',
  truncated: 'truncated',
  rowsRead: 'rows_read',
  bytesRead: 'bytes_read',
  rowsToRead: 'rows_to_read',
  share: 'share',
  engineMs: 'engine_ms',
  heartbeatMs: 'heartbeat_ms',
  endedMs: 'ended_ms',
  expiresMs: 'expires_ms',
} as const;
const JSON_NAMES = ['diagnostics', 'notices', 'columns', 'streams'] as const;

function columnsOf(change: TaskChange): Updateable<SearchTaskTable> {
  const columns: Record<string, unknown> = {};
  for (const [property, name] of Object.entries(COLUMN_NAMES)) {
    const value = change[property as keyof typeof COLUMN_NAMES];
    if (value !== undefined) columns[name] = typeof value === 'string' ? storableText(value) : value;
  }
  for (const name of JSON_NAMES) {
    if (change[name] !== undefined) columns[name] = storableJson(change[name]);
  }
  return columns as Updateable<SearchTaskTable>;
}

function taskOf(row: Selectable<SearchTaskTable>): SearchTask {
  const task: Record<string, unknown> = {
    id: row.id,
    userId: row.user_id,
    scopeId: row.scope_id,
    queryId: row.query_id,
    startedMs: row.started_ms,
  };
  for (const [property, name] of Object.entries(COLUMN_NAMES)) task[property] = row[name];
  for (const name of JSON_NAMES) task[name] = row[name];
  return task as unknown as SearchTask;
}
