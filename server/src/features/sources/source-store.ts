import type { Kysely } from 'kysely';
import { sql, type Transaction } from 'kysely';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { PlatformTables } from '../../platform/postgres/platform-tables.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { type Row, timestamp, withTimestamps } from '../../platform/postgres/timestamp.ts';
import type { LastStep } from '../../platform/postgres/within-transaction.ts';
import { type IngestSource, KERNEL_DROPS } from './ingest-source.ts';
import type { IngestSourceTable, SourceTables } from './source-tables.ts';

// Sources, tokens and counters in PostgreSQL. A sender is looked up without knowing its tenant; everything else
// goes through row-level security.

export type SourceRow = Row<Omit<IngestSourceTable, 'cluster_id' | 'paused_at'>>;

interface CounterDelta {
  readonly sourceId: string;
  readonly name: string;
  readonly by: number;
}

/** What is kept of a token: its hash, and of one that is a shared key too, the sealed token under its beginning. */
export interface TokenToKeep {
  readonly hash: Buffer;
  readonly shared?: { readonly prefix: string; readonly sealed: string };
}

export interface SourceStore {
  add(clusterId: string, row: SourceRow, token: TokenToKeep | null, lastStep: LastStep): Promise<void>;
  list(clusterId: string, scopeId: string): Promise<readonly SourceRow[]>;
  revoke(
    source: { readonly clusterId: string; readonly scopeId: string; readonly sourceId: string },
    nowMs: number,
    lastStep: LastStep,
  ): Promise<SourceRow | null>;
  /** Since when it takes nothing in; null: it does. */
  pause(
    trx: TenantTransaction,
    key: { readonly clusterId: string; readonly scopeId: string; readonly sourceId: string },
    sinceMs: number | null,
  ): Promise<void>;
  findByToken(tokenHash: Buffer): Promise<IngestSource | null>;
  /** The sealed tokens that begin so; there is one, or by chance a few. */
  findSealedTokens(prefix: string): Promise<readonly string[]>;
  findById(clusterId: string, sourceId: string): Promise<IngestSource | null>;
  findBySender(address: string): Promise<IngestSource | null>;
  /** The source that names one of these: a fingerprint, or a common name. */
  findByCertificate(names: readonly string[]): Promise<IngestSource | null>;
  count(clusterId: string, deltas: readonly CounterDelta[], nowMs: number): Promise<void>;
  counters(
    clusterId: string,
  ): Promise<readonly { sourceId: string; name: string; value: number; updatedMs: number }[]>;
  countRefusal(reason: string, address: string, by: number, nowMs: number): Promise<void>;
  /** Removes refusals that are old, and the oldest where there are too many; answers how many. */
  pruneRefusals(nowMs: number): Promise<number>;
  /** Datagrams of any sender that were lost before anybody could see whose they are. */
  lostDatagrams(): Promise<{ readonly count: number; readonly last: number | null }>;
  refusals(): Promise<readonly { reason: string; address: string; value: number; lastMs: number }[]>;
  /** True when the scope is one of the tenant. */
  hasScope(clusterId: string, scopeId: string): Promise<boolean>;
}

/** Refusals are kept this long, and so many of them: addresses of senders can be forged. */
const REFUSAL_AGE_MS = 30 * 86_400_000;
const MAX_REFUSALS = 20_000;
/** Tokens with one beginning are chance; more than so many are not looked at. */
const MAX_SEALED = 16;

/** Said of a network or certificate that the tenant was not given, whoever has it. */
export class NotGrantedError extends Error {}

/** Networks lie inside of what root gave the tenant, certificates are among it; else NotGrantedError. */
async function requireGranted(
  trx: Transaction<PlatformTables & SourceTables>,
  clusterId: string,
  { networks, certificates }: SourceRow,
): Promise<void> {
  for (const network of networks ?? []) {
    const found = await sql`select 1 from syslog_grant
      where cluster_id = ${clusterId} and network >>= ${network}::cidr for share`.execute(trx);
    if (found.rows.length === 0) throw new NotGrantedError(network);
  }
  for (const certificate of certificates ?? []) {
    const found = await sql`select 1 from syslog_grant
      where cluster_id = ${clusterId} and certificate = ${certificate} for share`.execute(trx);
    if (found.rows.length === 0) throw new NotGrantedError(certificate);
  }
}

interface SourceStoreParts {
  readonly db: Kysely<PlatformTables & SourceTables>;
  readonly postgres: Postgres;
}

export function createSourceStore(postgres: Postgres): SourceStore {
  const db = postgres.platform.withTables<SourceTables>();
  const parts: SourceStoreParts = { db, postgres };
  return bindDeps(parts, {
    add,
    list,
    revoke,
    pause,
    findByToken,
    findSealedTokens,
    findById: sourceOf,
    findBySender,
    findByCertificate,
    count,
    counters,
    countRefusal,
    pruneRefusals,
    refusals,
    lostDatagrams,
    hasScope,
  });
}

async function isEnabled({ db }: SourceStoreParts, clusterId: string, scopeId: string): Promise<boolean> {
  const found = await sql<{ is_enabled: boolean }>`
      select is_enabled from scope where cluster_id = ${clusterId} and scope_id = ${scopeId}`.execute(db);
  return found.rows[0]?.is_enabled ?? false;
}

async function sourceOf(
  parts: SourceStoreParts,
  clusterId: string,
  sourceId: string,
): Promise<IngestSource | null> {
  const row = await parts.postgres.inTenant(clusterId, (trx) =>
    trx
      .withTables<SourceTables>()
      .selectFrom('ingest_source')
      .select(['scope_id', 'source_name', 'kind', 'paused_at'])
      .where('source_id', '=', sourceId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst(),
  );
  if (row === undefined) return null;
  const isScopeEnabled = row.paused_at === null && (await isEnabled(parts, clusterId, row.scope_id));
  const { scope_id: scopeId, source_name: sourceName, kind } = row;
  return { clusterId, scopeId, sourceId, sourceName, kind, isScopeEnabled };
}

function add(
  { postgres }: SourceStoreParts,
  clusterId: string,
  row: SourceRow,
  token: TokenToKeep | null,
  lastStep: LastStep,
): Promise<void> {
  return postgres.platform.transaction().execute(async (platform) => {
    // One transaction over both worlds: the platform's look-up row and the tenant's own record.
    const trx = platform.withTables<SourceTables>();
    await sql`select set_config('tyrian.cluster_id', ${clusterId}, true)`.execute(trx);
    await requireGranted(trx, clusterId, row);
    await trx
      .insertInto('ingest_source')
      .values({ ...withTimestamps(row, 'created_at', 'revoked_at'), cluster_id: clusterId })
      .execute();
    const ids = { cluster_id: clusterId, source_id: row.source_id };
    if (token !== null) {
      await trx
        .insertInto('ingest_token')
        .values({
          ...ids,
          token_hash: token.hash,
          prefix: token.shared?.prefix ?? null,
          sealed: token.shared?.sealed ?? null,
        })
        .execute();
    }
    for (const network of row.networks ?? []) {
      await trx
        .insertInto('ingest_sender')
        .values({ ...ids, network })
        .execute();
    }
    for (const certificate of row.certificates ?? []) {
      await trx
        .insertInto('ingest_certificate')
        .values({ ...ids, certificate })
        .execute();
    }
    await lastStep(trx);
  });
}

function list(
  { postgres }: SourceStoreParts,
  clusterId: string,
  scopeId: string,
): Promise<readonly SourceRow[]> {
  return postgres.inTenant(clusterId, (trx) =>
    trx
      .withTables<SourceTables>()
      .selectFrom('ingest_source')
      .selectAll()
      .where('scope_id', '=', scopeId)
      .orderBy('source_name')
      .execute(),
  );
}

async function revoke(
  { postgres, db }: SourceStoreParts,
  {
    clusterId,
    scopeId,
    sourceId,
  }: { readonly clusterId: string; readonly scopeId: string; readonly sourceId: string },
  nowMs: number,
  lastStep: LastStep,
): Promise<SourceRow | null> {
  const row = await postgres.inTenant(clusterId, async (trx) => {
    const revoked = await trx
      .withTables<SourceTables>()
      .updateTable('ingest_source')
      .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', timestamp(nowMs)) }))
      .where('scope_id', '=', scopeId)
      .where('source_id', '=', sourceId)
      .returningAll()
      .executeTakeFirst();
    if (revoked) await lastStep(trx);
    return revoked;
  });
  if (row === undefined) return null;
  await db
    .deleteFrom('ingest_token')
    .where('source_id', '=', sourceId)
    .where('cluster_id', '=', clusterId)
    .execute();
  for (const table of ['ingest_sender', 'ingest_certificate'] as const) {
    await db
      .deleteFrom(table)
      .where('source_id', '=', sourceId)
      .where('cluster_id', '=', clusterId)
      .execute();
  }
  return row;
}

async function pause(
  _parts: SourceStoreParts,
  trx: TenantTransaction,
  {
    clusterId,
    scopeId,
    sourceId,
  }: { readonly clusterId: string; readonly scopeId: string; readonly sourceId: string },
  sinceMs: number | null,
): Promise<void> {
  await sql`update ingest_source set paused_at = ${timestamp(sinceMs)}
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and source_id = ${sourceId}`.execute(trx);
}

async function findSealedTokens({ db }: SourceStoreParts, prefix: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('ingest_token')
    .select('sealed')
    .where('prefix', '=', prefix)
    .limit(MAX_SEALED)
    .execute();
  return rows.flatMap(({ sealed }) => (sealed === null ? [] : [sealed]));
}

async function findByToken(parts: SourceStoreParts, tokenHash: Buffer): Promise<IngestSource | null> {
  const row = await parts.db
    .selectFrom('ingest_token')
    .select(['cluster_id', 'source_id'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row === undefined ? null : sourceOf(parts, row.cluster_id, row.source_id);
}

async function findBySender(parts: SourceStoreParts, address: string): Promise<IngestSource | null> {
  const found = await sql<{ cluster_id: string; source_id: string }>`
        select cluster_id, source_id from ingest_sender where network >>= ${address}::inet
        order by masklen(network) desc limit 1`.execute(parts.db);
  const row = found.rows[0];
  return row === undefined ? null : sourceOf(parts, row.cluster_id, row.source_id);
}

async function findByCertificate(
  parts: SourceStoreParts,
  names: readonly string[],
): Promise<IngestSource | null> {
  const rows = await parts.db
    .selectFrom('ingest_certificate')
    .select(['certificate', 'cluster_id', 'source_id'])
    .where('certificate', 'in', [...names])
    .execute();
  // In the order of the names: the fingerprint is the more exact one.
  const row = names.map((name) => rows.find((one) => one.certificate === name)).find(Boolean);
  return row === undefined ? null : sourceOf(parts, row.cluster_id, row.source_id);
}

async function count(
  { postgres }: SourceStoreParts,
  clusterId: string,
  deltas: readonly CounterDelta[],
  nowMs: number,
): Promise<void> {
  if (deltas.length === 0) return;
  await postgres.inTenant(clusterId, (trx) =>
    trx
      .withTables<SourceTables>()
      .insertInto('ingest_counter')
      .values(
        deltas.map(({ sourceId, name, by }) => ({
          cluster_id: clusterId,
          source_id: sourceId,
          name,
          value: by,
          updated_at: timestamp(nowMs),
        })),
      )
      .onConflict((on) =>
        on.columns(['cluster_id', 'source_id', 'name']).doUpdateSet((eb) => ({
          value: sql<number>`ingest_counter.value + ${eb.ref('excluded.value')}`,
          updated_at: timestamp(nowMs),
        })),
      )
      .execute(),
  );
}

function counters(
  { postgres }: SourceStoreParts,
  clusterId: string,
): Promise<readonly { sourceId: string; name: string; value: number; updatedMs: number }[]> {
  return postgres.inTenant(clusterId, async (trx) => {
    const rows = await trx.withTables<SourceTables>().selectFrom('ingest_counter').selectAll().execute();
    return rows.map((row) => ({
      sourceId: row.source_id,
      name: row.name,
      value: row.value,
      updatedMs: row.updated_at,
    }));
  });
}

async function countRefusal(
  { db }: SourceStoreParts,
  reason: string,
  address: string,
  by: number,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('ingest_refusal')
    .values({ reason, address, value: by, last_at: timestamp(nowMs) })
    .onConflict((on) =>
      on.columns(['reason', 'address']).doUpdateSet((eb) => ({
        value: sql<number>`ingest_refusal.value + ${eb.ref('excluded.value')}`,
        last_at: timestamp(nowMs),
      })),
    )
    .execute();
}

async function pruneRefusals({ db }: SourceStoreParts, nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
        delete from ingest_refusal where last_at < ${timestamp(nowMs - REFUSAL_AGE_MS)} or last_at < (
          select last_at from ingest_refusal order by last_at desc offset ${MAX_REFUSALS} limit 1)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}

async function refusals({
  db,
}: SourceStoreParts): Promise<readonly { reason: string; address: string; value: number; lastMs: number }[]> {
  const rows = await db
    .selectFrom('ingest_refusal')
    .selectAll()
    .orderBy('last_at', 'desc')
    .limit(500)
    .execute();
  return rows.map((row) => ({
    reason: row.reason,
    address: row.address,
    value: row.value,
    lastMs: row.last_at,
  }));
}

async function lostDatagrams({ db }: SourceStoreParts): ReturnType<SourceStore['lostDatagrams']> {
  const { rows } = await sql<{ count: number; last: number | null }>`
    select coalesce(sum(value), 0)::bigint as count, max(last_at) as last from ingest_refusal
    where reason = ${KERNEL_DROPS}`.execute(db);
  return rows[0] ?? { count: 0, last: null };
}

async function hasScope({ db }: SourceStoreParts, clusterId: string, scopeId: string): Promise<boolean> {
  const found = await sql<{ one: number }>`
        select 1 as one from scope where cluster_id = ${clusterId} and scope_id = ${scopeId}`.execute(db);
  return found.rows.length > 0;
}
