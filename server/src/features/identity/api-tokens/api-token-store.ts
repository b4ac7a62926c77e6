import { createHash } from 'node:crypto';
import type { Capability } from '@tyrian/contract';
import { type Kysely, sql } from 'kysely';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { type Row, type Timestamp, timestamp, withTimestamps } from '../../../platform/postgres/timestamp.ts';
import type { LastStep } from '../../../platform/postgres/within-transaction.ts';
import type { ScopeRef } from '../../../platform/scope-ref.ts';

// The table of db/postgres/0007_api_tokens.sql. Every list and change names tenant and scope.

interface ApiTokenTable {
  readonly token_id: string;
  readonly cluster_id: string;
  readonly scope_id: string;
  readonly user_id: string;
  readonly created_by: string;
  readonly app_name: string;
  readonly description: string;
  readonly capabilities: Capability[];
  readonly token_hash: Buffer;
  readonly prefix: string;
  readonly created_at: Timestamp;
  readonly expires_at: Timestamp;
  readonly last_used_at: Timestamp | null;
  readonly last_address: string | null;
}

export type ApiTokenRow = Row<ApiTokenTable>;

// A type, not an interface: Kysely asks for an index signature.
type ApiTokenTables = {
  api_token: ApiTokenTable;
  person: { user_id: string; org_id: string; status: string };
  organization: { org_id: string; status: string };
};
type ApiTokenDb = Kysely<ApiTokenTables>;

/** What tables keep of a token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export interface FoundToken extends ApiTokenRow {
  readonly org_id: string;
  readonly is_enabled: boolean;
}

export interface ApiTokenStore {
  list(scope: ScopeRef): Promise<ApiTokenRow[]>;
  /**
   * False when the scope has `most` already, also when many are added at once. Throws the engine's unique violation when
   * it has a token of this name.
   */
  add(row: ApiTokenRow, most: number, lastStep: LastStep): Promise<boolean>;
  /** The row that was deleted; null when the scope has no such token. */
  remove(scope: ScopeRef, tokenId: string, lastStep: LastStep<ApiTokenRow>): Promise<ApiTokenRow | null>;
  /** The token, with the organization of its person and whether both are enabled; null when there is none. */
  find(token: string): Promise<FoundToken | null>;
  touch(tokenId: string, now: number, address: string): Promise<void>;
}

export function createApiTokenStore(postgres: Postgres): ApiTokenStore {
  const db = postgres.platform.withTables<ApiTokenTables>() as unknown as ApiTokenDb;
  return bindDeps(db, { list, add, remove, find, touch });
}

function list(db: ApiTokenDb, { clusterId, scopeId }: ScopeRef): Promise<ApiTokenRow[]> {
  return db
    .selectFrom('api_token')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .orderBy('created_at', 'desc')
    .orderBy('token_id')
    .execute();
}

function add(db: ApiTokenDb, row: ApiTokenRow, most: number, lastStep: LastStep): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const lockKey = `api tokens ${row.cluster_id} ${row.scope_id}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${lockKey}, 0))`.execute(trx);
    const { count } = await trx
      .selectFrom('api_token')
      .select(sql<number>`count(*)`.as('count'))
      .where('cluster_id', '=', row.cluster_id)
      .where('scope_id', '=', row.scope_id)
      .executeTakeFirstOrThrow();
    if (count >= most) return false;
    await trx
      .insertInto('api_token')
      .values(withTimestamps(row, 'created_at', 'expires_at', 'last_used_at'))
      .execute();
    await lastStep(trx);
    return true;
  });
}

function remove(
  db: ApiTokenDb,
  { clusterId, scopeId }: ScopeRef,
  tokenId: string,
  lastStep: LastStep<ApiTokenRow>,
): Promise<ApiTokenRow | null> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .deleteFrom('api_token')
      .where('cluster_id', '=', clusterId)
      .where('scope_id', '=', scopeId)
      .where('token_id', '=', tokenId)
      .returningAll()
      .executeTakeFirst();
    if (row) await lastStep(trx, row);
    return row ?? null;
  });
}

async function find(db: ApiTokenDb, token: string): Promise<FoundToken | null> {
  const row = await db
    .selectFrom('api_token as t')
    .innerJoin('person as p', 'p.user_id', 't.user_id')
    .innerJoin('organization as o', 'o.org_id', 'p.org_id')
    .selectAll('t')
    .select(['p.org_id', 'p.status as person_status', 'o.status as org_status'])
    .where('t.token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (!row) return null;
  const { person_status, org_status, ...found } = row;
  return { ...found, is_enabled: person_status === 'enabled' && org_status === 'enabled' };
}

async function touch(db: ApiTokenDb, tokenId: string, now: number, address: string): Promise<void> {
  await db
    .updateTable('api_token')
    .set({ last_used_at: timestamp(now), last_address: address })
    .where('token_id', '=', tokenId)
    .execute();
}
