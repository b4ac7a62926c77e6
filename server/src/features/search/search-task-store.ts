import {
  type ResultColumn,
  type SearchDiagnostic,
  type SearchNotice,
  say,
  type TaskStage,
  type TaskState,
} from '@tyrian/contract';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson, storableText } from '../../platform/postgres/storable.ts';
import { type Row, timestamp, withTimestamps } from '../../platform/postgres/timestamp.ts';
import type { SearchTables, SearchTaskTable } from './search-tables.ts';

// Tasks in PostgreSQL, so that any process answers for a task that another one runs. Their rows are not here.

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
  /** Text of the rows that are kept. */
  readonly keptBytes: number;
  readonly startedMs: number;
  readonly heartbeatMs: number;
  readonly endedMs: number | null;
  readonly expiresMs: number;
}

export type TaskChange = Partial<Omit<SearchTask, 'id' | 'userId' | 'scopeId' | 'queryId' | 'startedMs'>>;

/** Writes into the transaction of a change; `changed` is how much there was to change. */
export type Told = (trx: TenantTransaction, changed: number) => Promise<void>;

/** What is written with a change, whatever there was to change. */
export type ToldAtOnce = (trx: TenantTransaction) => readonly Promise<unknown>[];

/** How many searches may wait and run at once. */
export interface MostLive {
  readonly ofUser: number;
  /** By the plan of the tenant; undefined where none says. */
  readonly ofTenant: number | undefined;
  /** A task that was not heard of since does not count: its process has ended. Epoch milliseconds. */
  readonly aliveSinceMs: number;
}

export interface SearchTaskStore {
  /**
   * Keeps a new task, and what is told with it. Throws AppError `too-many` when so many others of its user or its tenant
   * have not ended, whichever process runs them.
   */
  add(clusterId: string, task: SearchTask, told: ToldAtOnce, most?: MostLive): Promise<void>;
  /** Null when the tenant has no such task of that user, or it has expired. */
  find(clusterId: string, userId: string, id: string, nowMs: number): Promise<SearchTask | null>;
  /** Changes a task that has not ended; false when it has. `told` is the last step of the transaction either way. */
  change(clusterId: string, id: string, change: TaskChange, told?: Told): Promise<boolean>;
  /** The same for one who does not ask whether it had ended: one turn with the engine. */
  changeAtOnce(clusterId: string, id: string, change: TaskChange, told: ToldAtOnce): Promise<void>;
  /** Marks a task as failed that has no rows any more, and says why, whether it has ended or not. */
  withdraw(clusterId: string, id: string, message: string, nowMs: number, told?: ToldAtOnce): Promise<void>;
}

const tables = (trx: TenantTransaction) => trx.withTables<SearchTables>();

export function createSearchTaskStore(postgres: Postgres): SearchTaskStore {
  return bindDeps(postgres, { add, find, change, changeAtOnce, withdraw });
}

function add(
  postgres: Postgres,
  clusterId: string,
  task: SearchTask,
  told: ToldAtOnce,
  most?: MostLive,
): Promise<void> {
  const written = (trx: TenantTransaction) => [insert(trx, clusterId, task), ...told(trx)];
  if (!most) return postgres.atOnce(clusterId, written);
  return postgres.inTenant(clusterId, async (trx) => {
    await assertSearchesLeft(trx, clusterId, task.userId, most);
    await Promise.all(written(trx));
  });
}

function insert(trx: TenantTransaction, clusterId: string, task: SearchTask): Promise<unknown> {
  return tables(trx)
    .insertInto('search_task')
    .values({
      cluster_id: clusterId,
      id: task.id,
      user_id: task.userId,
      scope_id: task.scopeId,
      query_id: task.queryId,
      started_at: timestamp(task.startedMs),
      ...columnsOf(task),
    } as Insertable<SearchTaskTable>)
    .execute();
}

function find(
  postgres: Postgres,
  clusterId: string,
  userId: string,
  id: string,
  nowMs: number,
): Promise<SearchTask | null> {
  return postgres.inTenant(clusterId, async (trx) => {
    const row = await tables(trx)
      .selectFrom('search_task')
      .selectAll()
      .where('cluster_id', '=', clusterId)
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .where('expires_at', '>', timestamp(nowMs))
      .executeTakeFirst();
    return row ? taskOf(row) : null;
  });
}

function change(
  postgres: Postgres,
  clusterId: string,
  id: string,
  change: TaskChange,
  told?: Told,
): Promise<boolean> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { numUpdatedRows } = await liveUpdate(trx, clusterId, id, change).executeTakeFirst();
    await told?.(trx, Number(numUpdatedRows));
    return numUpdatedRows > 0n;
  });
}

function changeAtOnce(
  postgres: Postgres,
  clusterId: string,
  id: string,
  change: TaskChange,
  told: ToldAtOnce,
): Promise<void> {
  return postgres.atOnce(clusterId, (trx) => [
    liveUpdate(trx, clusterId, id, change).execute(),
    ...told(trx),
  ]);
}

function withdraw(
  postgres: Postgres,
  clusterId: string,
  id: string,
  message: string,
  nowMs: number,
  told?: ToldAtOnce,
): Promise<void> {
  return postgres.atOnce(clusterId, (trx) => [
    update(trx, clusterId, id, withdrawn(message, nowMs)).execute(),
    ...(told?.(trx) ?? []),
  ]);
}

function update(trx: TenantTransaction, clusterId: string, id: string, change: TaskChange) {
  return tables(trx)
    .updateTable('search_task')
    .set(columnsOf(change))
    .where('cluster_id', '=', clusterId)
    .where('id', '=', id);
}

/** Changes nothing of a task that has ended. */
function liveUpdate(trx: TenantTransaction, clusterId: string, id: string, change: TaskChange) {
  return update(trx, clusterId, id, change).where('stage', 'in', ['PENDING', 'EXECUTING']);
}

/** How a task ends whose rows must not be read. */
export const withdrawn = (message: string, endedMs: number) =>
  ({ stage: 'FAILURE', state: 'FAILED', message, rowCount: 0, keptBytes: 0, endedMs }) as const;

export const tooManyLive = (maxLive: number): AppError =>
  new AppError('too-many', say('search.tooManyRunning', { most: maxLive }));

const tooManyOfTenant = (most: number): AppError =>
  new AppError('too-many', say('search.planLimit', { most }), {
    limit: 'concurrent_searches',
    allowed: most,
  });

/** Searches of one tenant are counted one after the other, so that two at once do not both take the last slot. */
async function assertSearchesLeft(
  trx: TenantTransaction,
  clusterId: string,
  userId: string,
  { ofUser, ofTenant, aliveSinceMs }: MostLive,
): Promise<void> {
  const locked = sql`select pg_advisory_xact_lock(hashtext(${`searches of ${clusterId}`}))`.execute(trx);
  const counted = sql<{ of_user: number; of_tenant: number }>`
    select count(*) filter (where user_id = ${userId}) as of_user, count(*) as of_tenant from search_task
    where cluster_id = ${clusterId} and stage in ('PENDING', 'EXECUTING')
      and heartbeat_at >= ${timestamp(aliveSinceMs)}`.execute(trx);
  const [, { rows }] = await Promise.all([locked, counted]);
  const [live] = rows;
  if (live && live.of_user >= ofUser) throw tooManyLive(ofUser);
  if (live && ofTenant !== undefined && live.of_tenant >= ofTenant) throw tooManyOfTenant(ofTenant);
}

const COLUMN_NAMES = {
  queue: 'queue',
  stage: 'stage',
  state: 'state',
  message: 'message',
  rangeFromMs: 'range_from',
  rangeToMs: 'range_to',
  rowCount: 'row_count',
  truncated: 'truncated',
  rowsRead: 'rows_read',
  bytesRead: 'bytes_read',
  rowsToRead: 'rows_to_read',
  share: 'share',
  engineMs: 'engine_ms',
  keptBytes: 'kept_bytes',
  heartbeatMs: 'heartbeat_at',
  endedMs: 'ended_at',
  expiresMs: 'expires_at',
} as const;
const TIMES = ['range_from', 'range_to', 'heartbeat_at', 'ended_at', 'expires_at'] as const;
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
  return withTimestamps(columns as Partial<Row<SearchTaskTable>>, ...TIMES) as Updateable<SearchTaskTable>;
}

function taskOf(row: Selectable<SearchTaskTable>): SearchTask {
  const task: Record<string, unknown> = {
    id: row.id,
    userId: row.user_id,
    scopeId: row.scope_id,
    queryId: row.query_id,
    startedMs: row.started_at,
  };
  for (const [property, name] of Object.entries(COLUMN_NAMES)) task[property] = row[name];
  for (const name of JSON_NAMES) task[name] = row[name];
  return task as unknown as SearchTask;
}
