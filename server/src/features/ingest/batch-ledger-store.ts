import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { PlatformTables } from '../../platform/postgres/platform-tables.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { BatchReport } from './ingest-batch.ts';
import type { IngestTables } from './ingest-tables.ts';

// Batches on their way, in PostgreSQL. The table belongs to the platform: it holds hashes, no content.

export interface LedgerRow {
  readonly hash: string;
  readonly batchId: string;
  readonly state: 'open' | 'free' | 'kept';
  readonly owner: string;
  readonly contentHash: string;
  readonly receivedMs: number;
  readonly answer: BatchReport | null;
}

type BatchKey = Pick<LedgerRow, 'hash' | 'batchId'>;

export interface BatchLedgerStore {
  /** Every row with one of the hashes, oldest first. */
  find(hashes: readonly string[]): Promise<readonly LedgerRow[]>;
  add(rows: readonly LedgerRow[]): Promise<void>;
  /** Takes a row over from `from` as it was found; false when somebody else was faster. */
  claim(key: BatchKey, from: Pick<LedgerRow, 'state' | 'owner'>, owner: string): Promise<boolean>;
  remove(keys: readonly BatchKey[]): Promise<void>;
  /** The acknowledgement did not get through: whoever sends the batch again takes the row over. */
  free(keys: readonly BatchKey[]): Promise<void>;
  keep(key: BatchKey, answer: BatchReport): Promise<void>;
  /** After a restart: what this owner had open is free. */
  freeAllOf(owner: string): Promise<number>;
  /** Says that the owner lives; answers the owners seen since. */
  heartbeat(owner: string, nowMs: number): Promise<void>;
  ownersSeenSince(ms: number): Promise<ReadonlySet<string>>;
  removeOlderThan(ms: number): Promise<number>;
}

const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** `db` is the connection for tables of the platform. */
export function createBatchLedgerStore(postgres: Postgres): BatchLedgerStore {
  const db = postgres.platform.withTables<IngestTables>();
  return bindDeps(db, {
    find,
    add,
    claim,
    remove,
    free,
    keep,
    freeAllOf,
    heartbeat,
    ownersSeenSince,
    removeOlderThan,
  });
}

function pairs(keys: readonly BatchKey[]) {
  return sql<boolean>`(batch_hash, batch_id) in (${sql.join(keys.map(({ hash, batchId }) => sql`(${bytes(hash)}, ${batchId})`))})`;
}

async function find(
  db: Kysely<PlatformTables & IngestTables>,
  hashes: readonly string[],
): Promise<readonly LedgerRow[]> {
  const rows = await db
    .selectFrom('ingest_batch')
    .selectAll()
    .where('batch_hash', 'in', hashes.map(bytes))
    .orderBy('received_at')
    .execute();
  return rows.map((row) => ({
    hash: row.batch_hash.toString('hex'),
    batchId: row.batch_id,
    state: row.state,
    owner: row.owner,
    contentHash: row.content_hash.toString('hex'),
    receivedMs: row.received_at,
    answer: row.answer as BatchReport | null,
  }));
}

async function add(db: Kysely<PlatformTables & IngestTables>, rows: readonly LedgerRow[]): Promise<void> {
  await db
    .insertInto('ingest_batch')
    .values(
      rows.map((row) => ({
        batch_hash: bytes(row.hash),
        batch_id: row.batchId,
        state: row.state,
        owner: row.owner,
        content_hash: bytes(row.contentHash),
        received_at: timestamp(row.receivedMs),
        answer: null,
      })),
    )
    .execute();
}

async function claim(
  db: Kysely<PlatformTables & IngestTables>,
  { hash, batchId }: BatchKey,
  from: Pick<LedgerRow, 'state' | 'owner'>,
  owner: string,
): Promise<boolean> {
  const done = await db
    .updateTable('ingest_batch')
    .set({ state: 'open', owner })
    .where('batch_hash', '=', bytes(hash))
    .where('batch_id', '=', batchId)
    .where('state', '=', from.state)
    .where('owner', '=', from.owner)
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

async function remove(db: Kysely<PlatformTables & IngestTables>, keys: readonly BatchKey[]): Promise<void> {
  if (keys.length > 0) await db.deleteFrom('ingest_batch').where(pairs(keys)).execute();
}

async function free(db: Kysely<PlatformTables & IngestTables>, keys: readonly BatchKey[]): Promise<void> {
  if (keys.length > 0)
    await db.updateTable('ingest_batch').set({ state: 'free' }).where(pairs(keys)).execute();
}

async function keep(
  db: Kysely<PlatformTables & IngestTables>,
  key: BatchKey,
  answer: BatchReport,
): Promise<void> {
  await db
    .updateTable('ingest_batch')
    .set({ state: 'kept', answer: JSON.stringify(answer) })
    .where(pairs([key]))
    .execute();
}

async function freeAllOf(db: Kysely<PlatformTables & IngestTables>, owner: string): Promise<number> {
  const done = await db
    .updateTable('ingest_batch')
    .set({ state: 'free' })
    .where('owner', '=', owner)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return Number(done.numUpdatedRows);
}

async function heartbeat(
  db: Kysely<PlatformTables & IngestTables>,
  owner: string,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('ingest_owner')
    .values({ owner, seen_at: timestamp(nowMs) })
    .onConflict((on) => on.column('owner').doUpdateSet({ seen_at: timestamp(nowMs) }))
    .execute();
}

async function ownersSeenSince(
  db: Kysely<PlatformTables & IngestTables>,
  ms: number,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('ingest_owner')
    .select('owner')
    .where('seen_at', '>=', timestamp(ms))
    .execute();
  return new Set(rows.map(({ owner }) => owner));
}

async function removeOlderThan(db: Kysely<PlatformTables & IngestTables>, ms: number): Promise<number> {
  const done = await db
    .deleteFrom('ingest_batch')
    .where('received_at', '<', timestamp(ms))
    .where('state', '<>', 'open')
    .executeTakeFirst();
  return Number(done.numDeletedRows);
}
