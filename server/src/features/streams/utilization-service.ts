import type { OutputOf, readUtilization } from '@tyrian/contract';
import { sql } from 'kysely';
import type { AuditRecorder } from '../../platform/audit-recorder.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { SourceVolume } from '../sources/source-volumes.ts';
import { BUFFER, billDays, FREE_EXCESS_DAYS } from './overage.ts';
import { volumeOfTenant } from './stream-figures.ts';

// What a tenant sent in a month against what it subscribed to. Accounts of sources outlive the events; what the event
// store has of a day counts where it is more, e.g. after a source was deleted.

const DAY_MS = 86_400_000;

type Utilization = OutputOf<typeof readUtilization>;

export interface UtilizationService {
  /** `month`: `2026-03`; absent: the running one. */
  read(clusterId: string, month?: string): Promise<Utilization>;
  subscribe(
    clusterId: string,
    bytes: number | null,
    by: { readonly caller: Caller; readonly address: string },
  ): Promise<void>;
}

interface UtilizationDeps {
  readonly postgres: Postgres;
  readonly events: Pick<EventStore, 'rows' | 'diskBytes'>;
  readonly clock: Clock;
  readonly audit: AuditRecorder;
  /** Volume of every source of the tenant by UTC day. */
  readonly volumesOf: (
    clusterId: string,
    range: { readonly fromMs: number; readonly toMs: number },
  ) => Promise<readonly SourceVolume[]>;
}

export function createUtilizationService(deps: UtilizationDeps): UtilizationService {
  return bindDeps(deps, { read, subscribe });
}

function monthRange(month: string): { fromMs: number; toMs: number } {
  const [year = 1970, number = 1] = month.split('-').map(Number);
  return { fromMs: Date.UTC(year, number - 1), toMs: Date.UTC(year, number) };
}

function subscriptionOf(postgres: Postgres, clusterId: string): Promise<number | null> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{ subscribed_bytes: number }>`
      select subscribed_bytes from volume_subscription where cluster_id = ${clusterId}`.execute(trx);
    return rows[0]?.subscribed_bytes ?? null;
  });
}

async function read(
  { postgres, events, clock, volumesOf }: UtilizationDeps,
  clusterId: string,
  asked?: string,
): Promise<Utilization> {
  const nowMs = clock.now();
  const month = asked ?? new Date(nowMs).toISOString().slice(0, 7);
  const range = monthRange(month);
  const [subscribed, accounts, stored, disk] = await Promise.all([
    subscriptionOf(postgres, clusterId),
    volumesOf(clusterId, range),
    volumeOfTenant(events, clusterId, range),
    events.diskBytes(clusterId),
  ]);
  const ends = Math.min(range.toMs, Math.floor(nowMs / DAY_MS) * DAY_MS + DAY_MS);
  const volumes = [];
  for (let day = range.fromMs; day < ends; day += DAY_MS) {
    const own = accounts.filter((one) => one.day === day);
    const kept = stored.days.get(day) ?? { rawBytes: 0, events: 0 };
    const rawBytes = own.reduce((sum, one) => sum + one.rawBytes, 0);
    const count = own.reduce((sum, one) => sum + one.events, 0);
    volumes.push({
      day,
      rawBytes: Math.max(rawBytes, kept.rawBytes),
      events: Math.max(count, kept.events),
    });
  }
  const days = billDays(volumes, subscribed);
  const sum = (pick: (day: (typeof days)[number]) => number) =>
    days.reduce((total, day) => total + pick(day), 0);
  return {
    month,
    from: range.fromMs,
    to: range.toMs,
    subscribed_bytes: subscribed,
    buffer_bytes: subscribed === null ? null : subscribed * BUFFER,
    free_excess_days: FREE_EXCESS_DAYS,
    excess_days: days.filter((day) => day.excess_day !== null).length,
    overage_bytes: sum((day) => day.overage_bytes),
    billed_bytes: sum((day) => day.billed_bytes),
    raw_bytes: sum((day) => day.raw_bytes),
    disk_bytes: disk,
    days,
    streams: stored.streams,
    sources: bySource(accounts),
  };
}

function bySource(accounts: readonly SourceVolume[]): Utilization['sources'] {
  const all = new Map<string, Utilization['sources'][number]>();
  for (const { sourceId, source, scopeName, events, rawBytes } of accounts) {
    const one = all.get(sourceId) ?? { source, scope_name: scopeName, events: 0, raw_bytes: 0 };
    one.events += events;
    one.raw_bytes += rawBytes;
    all.set(sourceId, one);
  }
  return [...all.values()].sort((a, b) => b.raw_bytes - a.raw_bytes);
}

async function subscribe(
  { postgres, clock, audit }: UtilizationDeps,
  clusterId: string,
  bytes: number | null,
  { caller, address }: { readonly caller: Caller; readonly address: string },
): Promise<void> {
  const act = { action: 'subscription.save', who: caller, source: address, clusterId };
  await postgres.inTenant(clusterId, async (trx) => {
    if (bytes === null)
      await sql`delete from volume_subscription where cluster_id = ${clusterId}`.execute(trx);
    else
      await sql`insert into volume_subscription (cluster_id, subscribed_bytes, changed_at, changed_by)
        values (${clusterId}, ${bytes}, ${timestamp(clock.now())}, ${caller.name})
        on conflict (cluster_id) do update set subscribed_bytes = excluded.subscribed_bytes,
          changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(trx);
    await audit.record({ ...act, entity: clusterId, details: { subscribed_bytes: bytes } }, trx);
  });
}
