import type { SuppressedSignal } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { Occurrence } from '../signals/occurrence.ts';
import type { RecordingRule } from '../signals/recording-rule.ts';

// The rows of what was suppressed, in the caller's transaction.

interface InScope {
  readonly clusterId: string;
  readonly scopeId: string;
}

export interface SuppressedRow {
  readonly occurrence_id: string;
  readonly rule_id: string;
  readonly reason: string;
  readonly workbook_id: string;
  readonly workbook_name: string;
  readonly found_by: RecordingRule;
  readonly occurrence: Occurrence;
  readonly suppressed_at: Date;
}

const COLUMNS = sql.raw(
  'occurrence_id, rule_id, reason, workbook_id, workbook_name, found_by, occurrence, suppressed_at',
);

export interface SuppressedFilter {
  readonly ruleId: string | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly offset: number;
  readonly limit: number;
}

/** A page of what was suppressed in a range of event time, newest first, and how many there are. */
export async function pageSuppressed(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  { ruleId, startMs, endMs, offset, limit }: SuppressedFilter,
): Promise<{ readonly rows: readonly SuppressedRow[]; readonly total: number }> {
  const condition = sql`cluster_id = ${clusterId} and scope_id = ${scopeId}
    and last_at >= ${timestamp(startMs)} and last_at < ${timestamp(endMs)}
    and (${ruleId}::text is null or rule_id = ${ruleId})`;
  const { rows } = await sql<SuppressedRow>`
    select ${COLUMNS} from suppressed_occurrence where ${condition}
    order by last_at desc, occurrence_id limit ${limit} offset ${offset}`.execute(trx);
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::integer as count from suppressed_occurrence where ${condition}`.execute(trx);
  return { rows, total: counted[0]?.count ?? 0 };
}

/** Takes the oldest of what a rule suppressed away, at most `limit`, and says how many are left. */
export async function takeSuppressed(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  ruleId: string,
  limit: number,
): Promise<{ readonly rows: readonly SuppressedRow[]; readonly left: number }> {
  const { rows } = await sql<SuppressedRow>`
    delete from suppressed_occurrence where cluster_id = ${clusterId} and scope_id = ${scopeId} and occurrence_id in (
      select occurrence_id from suppressed_occurrence
      where cluster_id = ${clusterId} and scope_id = ${scopeId} and rule_id = ${ruleId}
      order by last_at, occurrence_id limit ${limit} for update)
    returning ${COLUMNS}`.execute(trx);
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::integer as count from suppressed_occurrence
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and rule_id = ${ruleId}`.execute(trx);
  return { rows, left: counted[0]?.count ?? 0 };
}

/** What would have stood in the queue. */
export function suppressedSignal({ found_by, occurrence, ...row }: SuppressedRow): SuppressedSignal {
  const { finding } = occurrence;
  return {
    name: finding.name,
    workbook_id: row.workbook_id,
    workbook_name: row.workbook_name,
    score: found_by.signal.score,
    confidence: found_by.signal.confidence,
    stage: found_by.stage as SuppressedSignal['stage'],
    suspects: [...finding.suspects],
    targets: [...finding.targets],
    first_time: occurrence.firstMs,
    last_time: occurrence.lastMs,
  };
}
