import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

// What the signals of rules came to: how many there are, what people made of them, and where they came from. Read by time,
// in the caller's transaction.

/** Signals of a rule that were seen since a time. */
export interface RuleNoise {
  readonly signals: number;
  readonly falsePositives: number;
  /** Nobody has looked at them. */
  readonly open: number;
}

/** The signals of a scope since a time by rule. */
export async function noiseByRule(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  sinceMs: number,
): Promise<ReadonlyMap<string, RuleNoise>> {
  const { rows } = await sql<RuleNoise & { workbook_id: string }>`
    select workbook_id, count(*)::integer as signals,
      count(*) filter (where false_positive)::integer as "falsePositives",
      count(*) filter (where triaged_at is null)::integer as open
    from signal where cluster_id = ${clusterId} and scope_id = ${scopeId} and last_at >= ${timestamp(sinceMs)}
    group by workbook_id`.execute(trx);
  return new Map(rows.map(({ workbook_id, ...noise }) => [workbook_id, noise]));
}

/** When the newest of some signals was seen, by rule. */
export async function newestByRule(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  signalIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (signalIds.length === 0) return new Map();
  const { rows } = await sql<{ workbook_id: string; last: number }>`
    select workbook_id, max(last_at) as last from signal
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and signal_id = any(${[...signalIds]}::text[])
    group by workbook_id`.execute(trx);
  return new Map(rows.map((row) => [row.workbook_id, row.last]));
}

/** Signals by the streams that their rules read, as signals name them. */
export async function signalsByStream(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  since: { readonly countMs: number; readonly lastMs: number },
): Promise<readonly { readonly streams: string; readonly count: number; readonly last: number }[]> {
  const { rows } = await sql<{ streams: string; count: number; last: number }>`
    select stream as streams, count(*) filter (where last_at >= ${timestamp(since.countMs)})::integer as count,
      max(last_at) as last
    from signal where cluster_id = ${clusterId} and scope_id = ${scopeId} and last_at >= ${timestamp(since.lastMs)}
    group by stream`.execute(trx);
  return rows;
}

/** Whether a signal of the scope was raised by a rule. */
export async function isSignalOf(
  trx: TenantTransaction,
  where: { readonly clusterId: string; readonly scopeId: string; readonly workbookId: string },
  signalId: string,
): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`
    select 1 as found from signal where cluster_id = ${where.clusterId} and signal_id = ${signalId}
      and scope_id = ${where.scopeId} and workbook_id = ${where.workbookId}`.execute(trx);
  return rows.length > 0;
}
