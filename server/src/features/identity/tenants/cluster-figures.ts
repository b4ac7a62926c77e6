import { MOST_CLOCK_LEAD_MS } from '@tyrian/catalog';
import {
  type clusterSummary,
  type FleetItem,
  type OutputOf,
  type ServerMessage,
  say,
} from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import { databaseOfTables } from '../../../platform/clickhouse/cluster-layout.ts';
import { type EventStore, tenantDatabase } from '../../../platform/clickhouse/event-store.ts';
import { fewAtATime } from '../../../platform/few-at-a-time.ts';
import { saidOf } from '../../../platform/said-of-failure.ts';

// What the engine of a cluster says of its events. An engine that does not answer in time leaves its figures out
// and says why; no other cluster waits for it.

const ANSWER_MS = 5_000;
/** Engines asked at a time. */
const AT_ONCE = 8;

export interface ClusterFigures {
  readonly problem: ServerMessage | null;
  readonly events: number | null;
  readonly events_24h: number | null;
  readonly disk_bytes: number | null;
  readonly first_event: number | null;
  readonly last_event: number | null;
  readonly streams: OutputOf<typeof clusterSummary>['streams'];
}

const SILENT: Omit<ClusterFigures, 'problem'> = {
  events: null,
  events_24h: null,
  disk_bytes: null,
  first_event: null,
  last_event: null,
  streams: [],
};

const BY_STREAM = `SELECT Stream, sum(Events) AS Count, sumIf(Events, LastEvent >= fromUnixTimestamp64Milli({since:Int64})),
  toUnixTimestamp64Milli(min(FirstEvent)), toUnixTimestamp64Milli(max(LastEvent))
  FROM event_figures GROUP BY Stream HAVING Count > 0 ORDER BY Count DESC`;

function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('unavailable', say('engines.late'))), ANSWER_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function ask(eventStore: Pick<EventStore, 'rows' | 'diskBytes'>, clusterId: string, now: number) {
  const asked = {
    sql: BY_STREAM,
    params: { since: now - 86_400_000 },
    settings: { max_execution_time: ANSWER_MS / 1000 },
    scopes: 'all' as const,
    signal: AbortSignal.timeout(ANSWER_MS),
  };
  const [{ rows }, disk_bytes] = await Promise.all([
    eventStore.rows(clusterId, asked),
    eventStore.diskBytes(clusterId),
  ]);
  const lines = rows.map((row) => {
    const [stream, ...figures] = row;
    const [events = 0, recent = 0, first = 0, last = 0] = figures.map(Number);
    return { stream: String(stream), events, recent, first, last };
  });
  const sum = (pick: (line: (typeof lines)[number]) => number) =>
    lines.reduce((total, line) => total + pick(line), 0);
  return {
    problem: null,
    events: sum((line) => line.events),
    events_24h: sum((line) => line.recent),
    disk_bytes,
    first_event: lines.length === 0 ? null : Math.min(...lines.map((line) => line.first)),
    last_event: lines.length === 0 ? null : Math.max(...lines.map((line) => line.last)),
    streams: lines.map(({ stream, events, last }) => ({ stream, events, last_event: last })),
  };
}

/** The figures of a cluster; `problem` says why there are none. */
export async function figuresOf(
  eventStore: Pick<EventStore, 'rows' | 'diskBytes'>,
  clusterId: string,
  now: number,
): Promise<ClusterFigures> {
  try {
    return await within(ask(eventStore, clusterId, now));
  } catch (error) {
    return { ...SILENT, problem: saidOf(error, (reason) => say('engines.failed', { reason })) };
  }
}

/** Rows and bytes of every tenant of the platform's engine, without reading an event. */
const OF_ALL_TENANTS = `SELECT database, sum(rows) AS events, sum(bytes_on_disk) AS bytes,
  toUnixTimestamp(max(max_time)) * 1000 AS last FROM system.parts
  WHERE active AND table = 'events' AND match(database, {tables:String}) GROUP BY database`;

/** Of the last day alone, so that only its partitions are read. */
const recentOfAll = (tables: string) => `SELECT _database AS database, sum(Events) AS recent,
  toUnixTimestamp64Milli(max(LastEvent)) AS last FROM merge(REGEXP('${tables}'), '^event_figures$')
  WHERE LastEvent >= fromUnixTimestamp64Milli({since:Int64})
    AND IngestedMinute >= toDateTime(intDiv({since:Int64} - ${MOST_CLOCK_LEAD_MS + 60_000}, 1000), 'UTC')
  GROUP BY _database`;

interface DatabaseRow {
  readonly database: string;
  readonly events?: string | number;
  readonly bytes?: string | number;
  readonly recent?: string | number;
  readonly last: string | number;
}

/**
 * The figures of many clusters for a list: those on the engine of the platform by two questions for all of them, those
 * on engines of their own each by itself. Streams and the first event are left out.
 */
export async function figuresOfFleet(
  eventStore: Pick<EventStore, 'rows' | 'diskBytes' | 'systemRows' | 'tablesPattern'>,
  clusters: readonly { readonly cluster_id: string; readonly engine_url: string | null }[],
  now: number,
): Promise<(clusterId: string) => ClusterFigures> {
  const known = new Map<string, ClusterFigures>();
  const shared = clusters.filter((one) => one.engine_url === null).map((one) => one.cluster_id);
  const askedAlone = new Set(clusters.map((one) => one.cluster_id));
  try {
    for (const [clusterId, figures] of await within(askShared(eventStore, shared, now))) {
      known.set(clusterId, figures);
      askedAlone.delete(clusterId);
    }
  } catch {
    // An account that may not look over all tenants at once: then one by one, as on engines of their own.
  }
  await fewAtATime(askedAlone, AT_ONCE, async (clusterId) => {
    known.set(clusterId, await figuresOf(eventStore, clusterId, now));
  });
  return (clusterId) => known.get(clusterId) ?? { ...SILENT, problem: null };
}

/** The rows of a tenant's database, added up over the engines that hold a part of it. */
function byDatabase(rows: readonly DatabaseRow[]): Map<string, DatabaseRow> {
  const sums = new Map<string, DatabaseRow>();
  for (const row of rows) {
    const database = databaseOfTables(row.database);
    const known = sums.get(database);
    sums.set(database, {
      database,
      events: Number(known?.events ?? 0) + Number(row.events ?? 0),
      bytes: Number(known?.bytes ?? 0) + Number(row.bytes ?? 0),
      recent: Number(known?.recent ?? 0) + Number(row.recent ?? 0),
      last: Math.max(Number(known?.last ?? 0), Number(row.last)),
    });
  }
  return sums;
}

async function askShared(
  eventStore: Pick<EventStore, 'systemRows' | 'tablesPattern'>,
  clusterIds: readonly string[],
  now: number,
): Promise<[string, ClusterFigures][]> {
  if (clusterIds.length === 0) return [];
  const [all, recent] = await Promise.all([
    eventStore.systemRows<DatabaseRow>(OF_ALL_TENANTS, { tables: eventStore.tablesPattern }),
    eventStore.systemRows<DatabaseRow>(recentOfAll(eventStore.tablesPattern), { since: now - 86_400_000 }),
  ]);
  const [kept, fresh] = [byDatabase(all), byDatabase(recent)];
  return clusterIds.map((clusterId) => {
    const one = kept.get(tenantDatabase(clusterId));
    const late = fresh.get(tenantDatabase(clusterId));
    const figures = {
      ...SILENT,
      problem: null,
      events: Number(one?.events ?? 0),
      events_24h: Number(late?.recent ?? 0),
      disk_bytes: Number(one?.bytes ?? 0),
      last_event: one ? Number(late?.last ?? one.last) : null,
    };
    return [clusterId, figures];
  });
}

/** Where a cluster is on its way, and what keeps it from being active. */
export function stateOf(
  cluster: {
    readonly is_set_up: boolean;
    readonly eula_accepted_at: number | null;
    readonly license_until: number | null;
  },
  problem: ServerMessage | null,
  now: number,
): FleetItem['state'] {
  if (problem !== null) return 'unreachable';
  if (!cluster.is_set_up) return 'connected';
  if (cluster.license_until !== null && cluster.license_until <= now) return 'expired';
  return cluster.eula_accepted_at === null ? 'agreement' : 'active';
}
