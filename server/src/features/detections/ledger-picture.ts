import type { LedgerBucket } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp, timestampList } from '../../platform/postgres/timestamp.ts';
import { gapsBetween } from './ledger-store.ts';
import type { RuleKey, StoredRule } from './rule-store.ts';
import type { Window } from './scheduler-machine.ts';

// The ledger of a rule as a picture: its windows over a range, added up in parts of the same length; and how much of a
// range is missing in the ledgers of many rules.

/** Windows that a picture reads; those of two weeks of minutes are fewer. */
const MOST_WINDOWS = 30_000;
const GAPS_SHOWN = 50;

interface PictureRow {
  readonly from: number;
  readonly to: number;
  readonly state: 'done' | 'failed';
  readonly attempts: number;
  readonly reruns: number;
  readonly row_count: number;
  readonly signals: number;
}

export interface LedgerPicture {
  readonly buckets: LedgerBucket[];
  readonly gaps: Window[];
  readonly gapCount: number;
}

/** What of a range a rule has been on for, as far as its own ledger goes; beyond it was covered with its group. */
function ledgerRange(
  { state, ledgerUntil }: Pick<StoredRule, 'state' | 'ledgerUntil'>,
  range: Window,
): Window | null {
  if (state.coveredFrom === null) return null;
  const [from, to] = [Math.max(state.coveredFrom, range.from), Math.min(ledgerUntil, range.to)];
  return from < to ? { from, to } : null;
}

export async function drawLedger(
  trx: TenantTransaction,
  rule: StoredRule,
  range: Window,
  parts: number,
): Promise<LedgerPicture> {
  const rows = await windowsWithin(trx, rule, range);
  const done = rows.filter(({ state }) => state === 'done');
  const own = ledgerRange(rule, range);
  const gaps = own ? gapsBetween(done, own) : [];
  const together = {
    from: Math.max(rule.ledgerUntil, range.from),
    to: Math.min(rule.state.coveredUntil, range.to),
  };
  const buckets = emptyBuckets(range, parts);
  for (const row of rows) addRow(buckets, range, row);
  if (rule.keepsStep && together.from < together.to)
    spread(buckets, range, together, (bucket, ms) => ({ covered_ms: bucket.covered_ms + ms }));
  for (const gap of gaps) spread(buckets, range, gap, (bucket, ms) => ({ gap_ms: bucket.gap_ms + ms }));
  const longest = [...gaps].sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, GAPS_SHOWN);
  return { buckets, gaps: longest.sort((a, b) => a.from - b.from), gapCount: gaps.length };
}

async function windowsWithin(
  trx: TenantTransaction,
  { clusterId, scopeId, workbookId }: RuleKey,
  range: Window,
): Promise<readonly PictureRow[]> {
  const { rows } = await sql<PictureRow>`
    select range_from as "from", range_to as "to", state, attempts, reruns, row_count, signals from rule_window
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and workbook_id = ${workbookId}
      and range_from < ${timestamp(range.to)} and range_to > ${timestamp(range.from)}
    order by range_from limit ${MOST_WINDOWS}`.execute(trx);
  return rows;
}

function emptyBuckets({ from, to }: Window, parts: number): LedgerBucket[] {
  const at = (part: number): number => Math.round(from + ((to - from) * part) / parts);
  const none = { covered_ms: 0, gap_ms: 0, failed_ms: 0, reruns: 0, retries: 0, rows: 0, signals: 0 };
  return Array.from({ length: parts }, (_, part) => ({ from: at(part), to: at(part + 1), ...none }));
}

const bucketAt = (buckets: readonly LedgerBucket[], range: Window, time: number): number => {
  const part = Math.floor(((time - range.from) / (range.to - range.from)) * buckets.length);
  return Math.min(buckets.length - 1, Math.max(0, part));
};

/** Adds a stretch to every part that it touches, with the time that it takes of it. */
function spread(
  buckets: LedgerBucket[],
  range: Window,
  stretch: Window,
  add: (bucket: LedgerBucket, ms: number) => Partial<LedgerBucket>,
): void {
  for (let at = bucketAt(buckets, range, stretch.from); at < buckets.length; at += 1) {
    const bucket = buckets[at];
    if (!bucket || bucket.from >= stretch.to) break;
    const ms = Math.min(bucket.to, stretch.to) - Math.max(bucket.from, stretch.from);
    if (ms > 0) buckets[at] = { ...bucket, ...add(bucket, ms) };
  }
}

function addRow(buckets: LedgerBucket[], range: Window, row: PictureRow): void {
  const isDone = row.state === 'done';
  spread(buckets, range, row, (bucket, ms) =>
    isDone ? { covered_ms: bucket.covered_ms + ms } : { failed_ms: bucket.failed_ms + ms },
  );
  const at = bucketAt(buckets, range, row.from);
  const bucket = buckets[at];
  if (!bucket) return;
  // A stretch that found nothing counts its windows as attempts.
  const isOne = !isDone || row.row_count > 0 || row.signals > 0;
  buckets[at] = {
    ...bucket,
    reruns: bucket.reruns + row.reruns,
    retries: bucket.retries + (isOne ? Math.max(0, row.attempts - 1 - row.reruns) : 0),
    rows: bucket.rows + row.row_count,
    signals: bucket.signals + row.signals,
  };
}

export interface Missing {
  readonly gaps: number;
  readonly gapMs: number;
}

/** What is missing of a range in the ledgers of rules of one scope; those without a gap are absent. */
export async function missingOf(
  trx: TenantTransaction,
  rules: readonly StoredRule[],
  range: Window,
): Promise<ReadonlyMap<string, Missing>> {
  const asked = rules.flatMap((rule) => {
    const own = ledgerRange(rule, range);
    return own ? [{ id: rule.workbookId, ...own }] : [];
  });
  const [first] = rules;
  if (!first || asked.length === 0) return new Map();
  const { rows } = await sql<{ workbook_id: string; gaps: number; gap_ms: number }>`
    with asked as (select * from unnest(${asked.map(({ id }) => id)}::text[],
        ${timestampList(asked.map(({ from }) => from))}, ${timestampList(asked.map(({ to }) => to))})
        as a (workbook_id, lo, hi)),
    edges as (
      select a.workbook_id, a.hi, greatest(coalesce(lag(w.range_to)
          over (partition by a.workbook_id order by w.range_from), a.lo), a.lo) as before,
        w.range_from, w.range_to from asked a join rule_window w on w.cluster_id = ${first.clusterId}
        and w.scope_id = ${first.scopeId} and w.workbook_id = a.workbook_id and w.state = 'done'
        and w.range_from < a.hi and w.range_to > a.lo
      union all
      select a.workbook_id, a.hi, coalesce((select least(max(w.range_to), a.hi) from rule_window w
          where w.cluster_id = ${first.clusterId} and w.scope_id = ${first.scopeId}
            and w.workbook_id = a.workbook_id and w.state = 'done' and w.range_from < a.hi and w.range_to > a.lo), a.lo),
        a.hi, a.hi from asked a)
    select workbook_id, count(*)::integer as gaps,
      (sum(extract(epoch from range_from - before)) * 1000)::bigint as gap_ms
    from edges where range_from > before group by workbook_id`.execute(trx);
  return new Map(rows.map((row) => [row.workbook_id, { gaps: row.gaps, gapMs: row.gap_ms }]));
}
