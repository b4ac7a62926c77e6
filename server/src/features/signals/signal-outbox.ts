import { type QueryExecutorProvider, sql } from 'kysely';
import type { ArrivalMarks } from '../../platform/arrivals/arrival-marks.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { SignalTables } from './signal-tables.ts';

// Carries raised signals from PostgreSQL into the stream Signals, each exactly once. Rows are put into a batch
// before the batch is sent, and the batch id is the engine's deduplication token: after a crash the same batch is
// sent again and the engine drops the second copy.

const BATCH_ROWS = 1000;
/** These rows are stamped by the engine, whose clock may be behind. */
const CLOCK_SKEW_MS = 60_000;
const tables = (trx: TenantTransaction) => trx.withTables<SignalTables>();

interface OutboxDeps {
  readonly postgres: Postgres;
  readonly events: EventStore;
  readonly arrivals: ArrivalMarks;
  /** Days for which signals of a scope are kept as events; 0 where nobody has said. */
  readonly signalDays: (clusterId: string, scopeId: string) => Promise<number>;
}

/**
 * The batch that was begun, or one of signals that wait. The class of retention is written with the batch: the same batch
 * must fall into the same partition when it is sent again.
 */
async function nextBatch(
  trx: TenantTransaction,
  clusterId: string,
  signalDays: OutboxDeps['signalDays'],
): Promise<string | null> {
  const db = tables(trx);
  const begun = await db
    .selectFrom('signal_outbox')
    .select('batch_id')
    .where('cluster_id', '=', clusterId)
    .where('batch_id', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (begun?.batch_id) return begun.batch_id;
  const fresh = await db
    .selectFrom('signal_outbox')
    .select(['signal_id', sql<string>`event ->> 'Scope'`.as('scope_id')])
    .where('cluster_id', '=', clusterId)
    .where('batch_id', 'is', null)
    .orderBy('signal_id')
    .limit(BATCH_ROWS)
    .forUpdate()
    .skipLocked()
    .execute();
  if (fresh.length === 0) return null;
  const batchId = `signals-${newId()}`;
  for (const scopeId of new Set(fresh.map((row) => row.scope_id))) {
    const RetentionDays = await signalDays(clusterId, scopeId);
    const ids = fresh.filter((row) => row.scope_id === scopeId).map((row) => row.signal_id);
    await db
      .updateTable('signal_outbox')
      .set({ batch_id: batchId, event: sql`event || ${JSON.stringify({ RetentionDays })}::jsonb` })
      .where('cluster_id', '=', clusterId)
      .where('signal_id', 'in', ids)
      .execute();
  }
  return batchId;
}

/** Sends everything that waits; resolves with the number of rows. */
export async function flushSignalOutbox(deps: OutboxDeps, clusterId: string): Promise<number> {
  let sent = 0;
  for (;;) {
    const batchId = await deps.postgres.inTenant(clusterId, (trx) =>
      nextBatch(trx, clusterId, deps.signalDays),
    );
    if (batchId === null) return sent;
    const rows = await deps.postgres.inTenant(clusterId, (trx) =>
      tables(trx)
        .selectFrom('signal_outbox')
        .select('event')
        .where('cluster_id', '=', clusterId)
        .where('batch_id', '=', batchId)
        .orderBy('signal_id')
        .execute(),
    );
    const body = rows.map((row) => JSON.stringify(row.event)).join('\n');
    if (rows.length > 0) {
      const scopes = new Set(rows.map((row) => String((row.event as { Scope?: unknown }).Scope)));
      for (const scopeId of scopes)
        await deps.arrivals.expect(clusterId, scopeId, Date.now() - CLOCK_SKEW_MS);
      await deps.events.insertRows(clusterId, Buffer.from(`${body}\n`), { dedupToken: batchId });
    }
    await deps.postgres.inTenant(clusterId, (trx) =>
      tables(trx)
        .deleteFrom('signal_outbox')
        .where('cluster_id', '=', clusterId)
        .where('batch_id', '=', batchId)
        .execute(),
    );
    sent += rows.length;
  }
}

/** Tenants with signals that are not in the stream Signals yet. */
export async function tenantsWithOutbox(trx: QueryExecutorProvider): Promise<string[]> {
  const { rows } = await sql<{ cluster_id: string }>`select distinct cluster_id from signal_outbox`.execute(
    trx,
  );
  return rows.map((row) => row.cluster_id);
}
