import { sql } from 'kysely';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// The accounts of sources in PostgreSQL: rows of minutes, hours and days.

/** What one source was in one minute, or in a part of it. */
export interface AccountLine {
  readonly clusterId: string;
  readonly sourceId: string;
  /** Begin of the minute, epoch milliseconds. */
  readonly minuteMs: number;
  /** When the first and the last of it came. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly accepted: number;
  readonly stored: number;
  readonly spooled: number;
  readonly rejected: number;
  readonly unparsed: number;
  readonly rawBytes: number;
  readonly reasons: Readonly<Record<string, number>>;
}

export const ACCOUNT_SPANS = ['minute', 'hour', 'day'] as const;
export type AccountSpan = (typeof ACCOUNT_SPANS)[number];

export interface AccountRow {
  readonly source_id: string;
  /** Begin of the minute, hour or day, epoch milliseconds. */
  readonly from: number;
  readonly accepted: number;
  readonly stored: number;
  readonly spooled: number;
  readonly rejected: number;
  readonly unparsed: number;
  readonly raw_bytes: number;
}

export interface RejectionSum {
  readonly source_id: string;
  readonly reason: string;
  readonly value: number;
}

export interface AccountStore {
  /** Adds to minutes, hours and days, of all tenants in one statement. Lines of sources that are gone are left out. */
  add(lines: readonly AccountLine[]): Promise<void>;
  /** The rows of one source, oldest first. */
  rows(
    of: ScopeRef & { readonly sourceId: string },
    span: AccountSpan,
    fromMs: number,
  ): Promise<AccountRow[]>;
  /** Sums of each source of a scope. */
  sums(scope: ScopeRef, span: AccountSpan, fromMs: number): Promise<AccountRow[]>;
  /** Reasons of a scope, or of one source. */
  reasons(scope: ScopeRef, span: AccountSpan, fromMs: number, sourceId?: string): Promise<RejectionSum[]>;
  /** Removes what is older than its span is kept; answers how many rows. */
  prune(nowMs: number, atOnce: number): Promise<number>;
}

const DAY_MS = 86_400_000;
/** How long rows of each span are kept. */
const KEPT_MS: Readonly<Record<AccountSpan, number>> = {
  minute: 2 * DAY_MS,
  hour: 35 * DAY_MS,
  day: 400 * DAY_MS,
};
/** A shorter wait between two records is no pause. */
const LEAST_PAUSE_S = 60;

export function createAccountStore(postgres: Postgres): AccountStore {
  return {
    add: (lines) => addLines(postgres, lines),
    rows: (of, span, fromMs) => accountRows(postgres, of, span, fromMs),
    sums: (scope, span, fromMs) => accountSums(postgres, scope, span, fromMs),
    reasons: (scope, span, fromMs, sourceId) => rejectionSums(postgres, scope, span, fromMs, sourceId),
    prune: (nowMs, atOnce) => prune(postgres, nowMs, atOnce),
  };
}

/** Every tenant's rows: transactions of tenants run as another role and never see this policy. */
const sweep = <T>(postgres: Postgres, work: (trx: TenantTransaction) => Promise<T>) =>
  postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'ingest_account', true)`.execute(trx);
    return work(trx);
  });

function addLines(postgres: Postgres, lines: readonly AccountLine[]): Promise<void> {
  if (lines.length === 0) return Promise.resolve();
  const given = JSON.stringify(lines);
  return sweep(postgres, async (trx) => {
    // The rows in one order everywhere, so that two processes never wait for each other.
    await sql`
      with line as (
        select g.*, to_timestamp(g."minuteMs" / 1000.0) as at, s.last_sent_at
        from jsonb_to_recordset(${given}::jsonb) as g("clusterId" text, "sourceId" text, "minuteMs" bigint,
          "firstMs" bigint, "lastMs" bigint, accepted bigint, stored bigint, spooled bigint, rejected bigint,
          unparsed bigint, "rawBytes" bigint, reasons jsonb)
        join ingest_source s on s.cluster_id = g."clusterId" and s.source_id = g."sourceId"
      ), sent as (
        update ingest_source s set last_sent_at = greatest(s.last_sent_at, to_timestamp(l.last_ms / 1000.0))
        from (select "clusterId", "sourceId", max("lastMs") as last_ms from line where accepted > 0 group by 1, 2) l
        where s.cluster_id = l."clusterId" and s.source_id = l."sourceId"
      ), rejection as (
        insert into ingest_rejection (cluster_id, source_id, span, from_at, reason, value)
        select "clusterId", "sourceId", span, date_trunc(span, at, 'UTC') as from_at, key, sum(value::bigint)
        from line, unnest(array['minute', 'hour', 'day']) span, jsonb_each_text(reasons)
        group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
        on conflict (cluster_id, source_id, span, from_at, reason)
        do update set value = ingest_rejection.value + excluded.value
      )
      insert into ingest_account (cluster_id, source_id, span, from_at, accepted, stored, spooled, rejected, unparsed,
        raw_bytes, longest_pause_s)
      select "clusterId", "sourceId", span, date_trunc(span, at, 'UTC') as from_at, sum(accepted), sum(stored),
        sum(spooled), sum(rejected), sum(unparsed), sum("rawBytes"),
        case when span = 'day' then coalesce(max(pause_s), 0) else 0 end
      from (select line.*, case when accepted > 0 and "firstMs" / 1000.0 - extract(epoch from last_sent_at) >= ${LEAST_PAUSE_S}
          then least(2000000000, "firstMs" / 1000.0 - extract(epoch from last_sent_at))::integer end as pause_s from line) paused,
        unnest(array['minute', 'hour', 'day']) span
      group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (cluster_id, source_id, span, from_at) do update set
        accepted = ingest_account.accepted + excluded.accepted, stored = ingest_account.stored + excluded.stored,
        spooled = ingest_account.spooled + excluded.spooled, rejected = ingest_account.rejected + excluded.rejected,
        unparsed = ingest_account.unparsed + excluded.unparsed, raw_bytes = ingest_account.raw_bytes + excluded.raw_bytes,
        longest_pause_s = greatest(ingest_account.longest_pause_s, excluded.longest_pause_s)`.execute(trx);
  });
}

function accountRows(
  postgres: Postgres,
  { clusterId, scopeId, sourceId }: ScopeRef & { readonly sourceId: string },
  span: AccountSpan,
  fromMs: number,
): Promise<AccountRow[]> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<AccountRow>`
      select a.source_id, a.from_at as "from", accepted, stored, spooled, rejected, unparsed, raw_bytes
      from ingest_account a join ingest_source s using (cluster_id, source_id)
      where a.cluster_id = ${clusterId} and s.scope_id = ${scopeId} and a.source_id = ${sourceId}
        and a.span = ${span} and a.from_at >= ${timestamp(fromMs)} order by a.from_at`.execute(trx);
    return rows;
  });
}

function accountSums(
  postgres: Postgres,
  { clusterId, scopeId }: ScopeRef,
  span: AccountSpan,
  fromMs: number,
): Promise<AccountRow[]> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<AccountRow>`
      select a.source_id, min(a.from_at) as "from", sum(accepted)::bigint as accepted, sum(stored)::bigint as stored,
        sum(spooled)::bigint as spooled, sum(rejected)::bigint as rejected, sum(unparsed)::bigint as unparsed,
        sum(raw_bytes)::bigint as raw_bytes
      from ingest_account a join ingest_source s using (cluster_id, source_id)
      where a.cluster_id = ${clusterId} and s.scope_id = ${scopeId} and a.span = ${span}
        and a.from_at >= ${timestamp(fromMs)} group by a.source_id`.execute(trx);
    return rows;
  });
}

function rejectionSums(
  postgres: Postgres,
  { clusterId, scopeId }: ScopeRef,
  span: AccountSpan,
  fromMs: number,
  sourceId?: string,
): Promise<RejectionSum[]> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<RejectionSum>`
      select r.source_id, r.reason, sum(r.value)::bigint as value
      from ingest_rejection r join ingest_source s using (cluster_id, source_id)
      where r.cluster_id = ${clusterId} and s.scope_id = ${scopeId} and r.span = ${span}
        and r.from_at >= ${timestamp(fromMs)} and (${sourceId ?? null}::text is null or r.source_id = ${sourceId ?? null})
      group by 1, 2 order by 1, 3 desc, 2`.execute(trx);
    return rows;
  });
}

async function prune(postgres: Postgres, nowMs: number, atOnce: number): Promise<number> {
  let removed = 0;
  for (const span of ACCOUNT_SPANS) {
    const before = timestamp(nowMs - KEPT_MS[span]);
    removed += await sweep(postgres, async (trx) => {
      const accounts = await sql`delete from ingest_account where ctid in (select ctid from ingest_account
        where span = ${span} and from_at < ${before} limit ${atOnce})`.execute(trx);
      const reasons = await sql`delete from ingest_rejection where ctid in (select ctid from ingest_rejection
        where span = ${span} and from_at < ${before} limit ${atOnce})`.execute(trx);
      return Number(accounts.numAffectedRows ?? 0n) + Number(reasons.numAffectedRows ?? 0n);
    });
  }
  return removed;
}
