import type { ConnectorEngine } from '@tyrian/contract';
import { sql } from 'kysely';
import { writeEvents } from '../../platform/events/write-events.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

// Which process works on which connector. Due ones are claimed over all tenants in one statement, and all leases of a
// process are renewed in one. What a process writes of a connector is refused once another has its lease.

/** A process that is silent for so long has lost its connectors. */
const LEASE_MS = 20_000;
/** Connectors of one tenant that are worked on at a time, over all processes; of each of the two sorts. */
const OF_TENANT = 4;

export interface Claimed {
  readonly cluster_id: string;
  readonly connector_id: string;
  readonly scope_id: string;
  readonly engine: ConnectorEngine;
  readonly source_id: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly sealed_secrets: string | null;
  readonly revision: number;
  readonly is_wanted: boolean;
  readonly validation: 'pending' | 'ok' | 'failed';
  readonly failures: number;
  readonly failure: string | null;
  readonly is_failed: boolean;
  readonly position: unknown;
  readonly pending: Buffer | null;
  readonly pending_key: string | null;
  readonly pending_position: unknown;
}

export interface Lease {
  readonly clusterId: string;
  readonly connectorId: string;
  readonly owner: string;
}

const COLUMNS = sql`c.cluster_id, c.connector_id, c.scope_id, c.engine, c.source_id, c.config, c.sealed_secrets, c.revision,
  c.is_wanted, c.validation, c.failures, c.failure, c.is_failed, c.position, c.pending, c.pending_key, c.pending_position`;

/** Takes connectors that are due and that no living process has, the longest due first. */
export function claimDue(
  postgres: Postgres,
  {
    owner,
    most,
    isLong,
    nowMs,
  }: {
    readonly owner: string;
    readonly most: number;
    /** Those that hold a connection for minutes, or the others: neither takes the place of the other. */
    readonly isLong: boolean;
    readonly nowMs: number;
  },
): Promise<readonly Claimed[]> {
  const now = timestamp(nowMs);
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'connectors', true)`.execute(trx);
    const { rows } = await sql<Claimed>`
      with held as (select cluster_id, count(*) as n from connector
          where lease_owner is not null and leased_until_at > ${now} and (engine = 'kafka') = ${isLong} group by cluster_id),
        ranked as (select d.cluster_id, d.connector_id, d.due_at,
            row_number() over (partition by d.cluster_id order by d.due_at) + coalesce(h.n, 0) as place
          from connector d left join held h on h.cluster_id = d.cluster_id
          where d.due_at <= ${now} and (d.engine = 'kafka') = ${isLong} and (d.lease_owner is null or d.leased_until_at <= ${now})),
        chosen as (select f.cluster_id, f.connector_id from connector f
            join ranked r on r.cluster_id = f.cluster_id and r.connector_id = f.connector_id
          where r.place <= ${OF_TENANT} and f.due_at <= ${now} and (f.lease_owner is null or f.leased_until_at <= ${now})
          order by r.due_at limit ${most} for update of f skip locked)
      update connector c set lease_owner = ${owner}, leased_until_at = ${timestamp(nowMs + LEASE_MS)}
      from chosen where c.cluster_id = chosen.cluster_id and c.connector_id = chosen.connector_id
      returning ${COLUMNS}`.execute(trx);
    return rows;
  });
}

export interface Renewed {
  readonly cluster_id: string;
  readonly connector_id: string;
  readonly revision: number;
  readonly is_wanted: boolean;
  readonly validation: Claimed['validation'];
}

/** Renews the leases of a process; answers those that it still has, as they are wanted now. */
export function renewLeases(postgres: Postgres, owner: string, nowMs: number): Promise<readonly Renewed[]> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'connectors', true)`.execute(trx);
    const { rows } = await sql<Renewed>`update connector set leased_until_at = ${timestamp(nowMs + LEASE_MS)}
      where lease_owner = ${owner} returning cluster_id, connector_id, revision, is_wanted, validation`.execute(
      trx,
    );
    return rows;
  });
}

/** Gives all of them back, at the end of a process that stops. */
export async function dropLeases(postgres: Postgres, owner: string): Promise<void> {
  await postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'connectors', true)`.execute(trx);
    await sql`update connector set lease_owner = null, leased_until_at = null where lease_owner = ${owner}`.execute(
      trx,
    );
  });
}

/** The lease is with another process, or the connector is gone. */
export class LostLeaseError extends Error {
  override readonly name = 'LostLeaseError';
}

async function change(postgres: Postgres, lease: Lease, set: ReturnType<typeof sql>): Promise<void> {
  const { clusterId, connectorId, owner } = lease;
  const { numAffectedRows } = await postgres.inTenant(clusterId, (trx) =>
    sql`update connector set ${set} where cluster_id = ${clusterId} and connector_id = ${connectorId}
      and lease_owner = ${owner}`.execute(trx),
  );
  if (numAffectedRows !== 1n) throw new LostLeaseError('the connector was taken over or deleted');
}

/** Keeps what was fetched before it is stored, so that whoever takes over stores just this. */
export function keepPending(
  postgres: Postgres,
  lease: Lease,
  piece: { readonly lines: Uint8Array; readonly key: string; readonly position: unknown },
): Promise<void> {
  const { lines, key, position } = piece;
  return change(
    postgres,
    lease,
    sql`pending = ${Buffer.from(lines)}, pending_key = ${key}, pending_position = ${storableJson(position)}::jsonb`,
  );
}

/** What was fetched is stored: the position is behind it. */
export function keepPosition(postgres: Postgres, lease: Lease, position: unknown): Promise<void> {
  return change(
    postgres,
    lease,
    sql`position = ${storableJson(position)}::jsonb, pending = null, pending_key = null, pending_position = null`,
  );
}

export function noteValidation(
  postgres: Postgres,
  lease: Lease,
  end: { readonly reason: string | null; readonly nowMs: number; readonly revision: number },
): Promise<void> {
  const { reason, nowMs, revision } = end;
  // Of settings that were changed in the meantime nothing is known yet.
  return change(
    postgres,
    lease,
    sql`validation = case when revision <> ${revision} then validation else ${reason === null ? 'ok' : 'failed'} end,
      validation_reason = case when revision <> ${revision} then validation_reason else ${reason} end,
      validated_at = case when revision <> ${revision} then validated_at else ${timestamp(nowMs)} end`,
  );
}

export interface TurnEnd {
  readonly revision: number;
  /** When there is something to do again. */
  readonly dueMs: number;
  readonly failures: number;
  readonly failure: string | null;
  readonly isFailed: boolean;
  /** It fetched, all that it wanted to. */
  readonly hasRun: boolean;
  readonly nowMs: number;
}

/**
 * Gives the lease back. What was changed meanwhile is due at once, and what was stopped is not due. In the same transaction
 * a failure that nobody has heard of is told; a turn that ran makes the next one news again.
 */
export async function endTurn(postgres: Postgres, lease: Lease, end: TurnEnd): Promise<void> {
  const { revision, dueMs, failures, failure, isFailed, hasRun } = end;
  const { clusterId, connectorId, owner } = lease;
  const isChanged = sql`revision <> ${revision}`;
  await postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<EndedRow>`
      update connector set lease_owner = null, leased_until_at = null,
        due_at = case when ${isChanged} or validation = 'pending' then due_at
          when not is_wanted then null else ${timestamp(dueMs)} end,
        failures = case when ${isChanged} then failures else ${failures} end,
        failure = case when ${isChanged} then failure else ${failure} end,
        is_failed = case when ${isChanged} then is_failed else ${isFailed} end,
        failure_told = failure_told and not ${hasRun}
      where cluster_id = ${clusterId} and connector_id = ${connectorId} and lease_owner = ${owner}
      returning scope_id, name, is_wanted and (is_failed or validation = 'failed') and not failure_told as is_news`.execute(
      trx,
    );
    const [row] = rows;
    if (!row) throw new LostLeaseError('the connector was taken over or deleted');
    if (row.is_news) await tellFailure(trx, lease, row, end.nowMs);
  });
}

interface EndedRow {
  readonly scope_id: string;
  readonly name: string;
  readonly is_news: boolean;
}

async function tellFailure(
  trx: TenantTransaction,
  { clusterId, connectorId }: Lease,
  { scope_id: scopeId, name }: EndedRow,
  atMs: number,
): Promise<void> {
  await sql`update connector set failure_told = true
    where cluster_id = ${clusterId} and connector_id = ${connectorId}`.execute(trx);
  await writeEvents(trx, [
    {
      ...{ clusterId, scopeId, kind: 'connector.failed', objectId: connectorId, actor: null },
      ...{ details: { name }, atMs },
    },
  ]);
}
