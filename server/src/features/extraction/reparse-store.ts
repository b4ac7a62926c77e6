import type { REPARSE_WHICH, ReparseState } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { MinuteCounts } from '../ingest/ingest-batch.ts';

// Runs that read stored events again, in the caller's transaction of one tenant.

export interface InScope {
  readonly clusterId: string;
  readonly scopeId: string;
}

export interface ReparseKey extends InScope {
  readonly reparseId: string;
}

/** Where the unit stands: what comes next of it. */
export type UnitStep = 'fill' | 'put' | 'take' | 'delete' | 'finish';

/** A stretch of minutes of one partition whose events are being replaced. */
export interface Unit {
  /** Number of the reading. */
  readonly reading: number;
  readonly partition: string;
  /** Time of arrival, epoch milliseconds, half-open. */
  readonly from: number;
  readonly to: number;
  readonly step: UnitStep;
  readonly read: number;
  readonly changed: number;
  readonly unparsed: number;
  readonly gone: MinuteCounts;
}

export interface ReparseRow {
  readonly reparse_id: string;
  readonly state: ReparseState;
  readonly run_id: number | null;
  readonly from_ms: number;
  readonly until_ms: number;
  readonly source: string | null;
  readonly which: (typeof REPARSE_WHICH)[number];
  readonly with_detections: boolean;
  readonly total: number;
  readonly done: number;
  readonly changed: number;
  readonly unparsed: number;
  /** Up to where it has come; empty and null before the first unit. */
  readonly partition: string;
  readonly covered: number | null;
  readonly unit: Unit | null;
  readonly error: string | null;
  readonly author: string;
  readonly author_id: string;
  readonly created: number;
  readonly ended: number | null;
}

const ROW = sql`reparse_id, state, run_id, from_at as from_ms, until_at as until_ms, source, which, with_detections,
  total_count::float8 as total, done_count::float8 as done, changed_count::float8 as changed,
  unparsed_count::float8 as unparsed, partition, covered_at as covered, unit, error, author, author_id,
  created_at as created, ended_at as ended`;

const inScope = ({ clusterId, scopeId }: InScope) => sql`cluster_id = ${clusterId} and scope_id = ${scopeId}`;
const isOne = (key: ReparseKey) => sql`${inScope(key)} and reparse_id = ${key.reparseId}`;

/** Held until the transaction ends: whoever begins runs of the scope comes one after the other. */
export async function lockScope(trx: TenantTransaction, { clusterId, scopeId }: InScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`reparse ${clusterId} ${scopeId}`}, 0))`.execute(
    trx,
  );
}

export async function findReparse(
  trx: TenantTransaction,
  key: ReparseKey,
  lock = false,
): Promise<ReparseRow | undefined> {
  const { rows } = await sql<ReparseRow>`select ${ROW} from reparse where ${isOne(key)}
    ${lock ? sql`for update` : sql``}`.execute(trx);
  return rows[0];
}

/** Those that have not ended. */
export async function openReparses(
  trx: TenantTransaction,
  scope: InScope,
): Promise<readonly Pick<ReparseRow, 'reparse_id' | 'run_id'>[]> {
  const { rows } = await sql<Pick<ReparseRow, 'reparse_id' | 'run_id'>>`
    select reparse_id, run_id from reparse where ${inScope(scope)} and ended_at is null`.execute(trx);
  return rows;
}

export async function pageReparses(
  trx: TenantTransaction,
  scope: InScope,
  { pageno, pagesize }: { readonly pageno: number; readonly pagesize: number },
): Promise<{ readonly data: readonly ReparseRow[]; readonly total_count: number }> {
  const { rows } = await sql<ReparseRow>`select ${ROW} from reparse where ${inScope(scope)}
    order by created_at desc, reparse_id limit ${pagesize} offset ${(pageno - 1) * pagesize}`.execute(trx);
  const { rows: counted } = await sql<{ count: number }>`select count(*)::integer as count from reparse
    where ${inScope(scope)}`.execute(trx);
  return { data: rows, total_count: counted[0]?.count ?? 0 };
}

export interface NewReparse extends ReparseKey {
  readonly range: { readonly from: number; readonly to: number };
  readonly source: string | null;
  readonly which: ReparseRow['which'];
  readonly withDetections: boolean;
  readonly total: number;
  readonly author: { readonly userId: string; readonly name: string };
  readonly nowMs: number;
}

export async function insertReparse(trx: TenantTransaction, one: NewReparse): Promise<void> {
  await sql`insert into reparse (cluster_id, scope_id, reparse_id, state, from_at, until_at, source, which,
      with_detections, total_count, author, author_id, created_at)
    values (${one.clusterId}, ${one.scopeId}, ${one.reparseId}, 'waiting', ${timestamp(one.range.from)},
      ${timestamp(one.range.to)}, ${one.source}, ${one.which}, ${one.withDetections}, ${one.total},
      ${one.author.name}, ${one.author.userId}, ${timestamp(one.nowMs)})`.execute(trx);
}

/** Removes the oldest that have ended and are not midway, beyond so many of the scope. */
export async function keepNewest(trx: TenantTransaction, scope: InScope, kept: number): Promise<void> {
  await sql`delete from reparse where ${inScope(scope)} and reparse_id in (
    select reparse_id from reparse where ${inScope(scope)} and ended_at is not null and unit is null
    order by created_at desc, reparse_id offset ${kept})`.execute(trx);
}

export async function setRun(trx: TenantTransaction, key: ReparseKey, runId: number): Promise<void> {
  await sql`update reparse set run_id = ${runId} where ${isOne(key)}`.execute(trx);
}

/** It is worked on, where it has not ended. */
export async function beginRun(trx: TenantTransaction, key: ReparseKey): Promise<void> {
  await sql`update reparse set state = 'running', error = null
    where ${isOne(key)} and ended_at is null`.execute(trx);
}

export async function reopen(trx: TenantTransaction, key: ReparseKey): Promise<void> {
  await sql`update reparse set state = 'waiting', error = null, ended_at = null where ${isOne(key)}`.execute(
    trx,
  );
}

export async function noteFailure(trx: TenantTransaction, key: ReparseKey, error: string): Promise<void> {
  await sql`update reparse set error = ${error} where ${isOne(key)} and ended_at is null`.execute(trx);
}

/** False when it had ended or is gone. */
export async function endReparse(
  trx: TenantTransaction,
  key: ReparseKey,
  state: 'done' | 'failed' | 'canceled',
  nowMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update reparse set state = ${state}, ended_at = ${timestamp(nowMs)},
      error = case when ${state} = 'failed' then error end
    where ${isOne(key)} and ended_at is null`.execute(trx);
  return numAffectedRows === 1n;
}

/** A number that no reading of the installation has had. */
export async function nextReading(trx: TenantTransaction): Promise<number> {
  const { rows } = await sql<{ reading: number }>`select nextval('event_reading')::float8 as reading`.execute(
    trx,
  );
  return Number(rows[0]?.reading);
}

export async function putUnit(trx: TenantTransaction, key: ReparseKey, unit: Unit | null): Promise<void> {
  const json = unit === null ? null : storableJson(unit);
  await sql`update reparse set unit = ${json}::jsonb where ${isOne(key)}`.execute(trx);
}

/** The unit is done: it counts, and the next one begins behind it. */
export async function closeUnit(trx: TenantTransaction, key: ReparseKey, unit: Unit): Promise<void> {
  await sql`update reparse set unit = null, partition = ${unit.partition}, covered_at = ${timestamp(unit.to)},
      done_count = done_count + ${unit.read}, changed_count = changed_count + ${unit.changed},
      unparsed_count = unparsed_count + ${unit.unparsed}
    where ${isOne(key)}`.execute(trx);
}
