import { availableParallelism } from 'node:os';
import { sql } from 'kysely';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { ComponentSample } from '../../platform/components/component-minutes.ts';
import { usageOfParent } from '../../platform/components/process-tree-usage.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';

// What engines say of themselves, from what they count anyway: nothing is scanned. PostgreSQL tells neither processor nor
// memory; on the same machine its processes do.

const ANSWER_MS = 5_000;

const whole = (value: number): number => Math.round(value);
const percentOf = (part: number, all: number): number | null => (all > 0 ? whole((part / all) * 100) : null);

interface PostgresRow {
  readonly pid: number;
  readonly is_here: boolean;
  readonly version: string;
  readonly uptime_s: string;
  readonly bytes: string;
  readonly changed: string;
  readonly read: string;
  readonly deadlocks: string;
  readonly waiting: string;
}

/** PostgreSQL: rows changed and read, statements that wait for a lock, deadlocks, size of the database. */
export async function samplePostgres({ platform }: Pick<Postgres, 'platform'>): Promise<ComponentSample> {
  const { rows } = await sql<PostgresRow>`
    select pg_backend_pid() as pid, current_setting('server_version') as version,
      extract(epoch from now() - pg_postmaster_start_time()) as uptime_s,
      inet_client_addr() is null or inet_client_addr() <<= '127.0.0.0/8' or inet_client_addr() = '::1' as is_here,
      pg_database_size(datname) as bytes, tup_inserted + tup_updated + tup_deleted as changed, tup_fetched as read,
      deadlocks, (select count(*) from pg_locks where not granted) as waiting
    from pg_stat_database where datname = current_database()`.execute(platform);
  const row = rows[0] as PostgresRow;
  const usage = row.is_here ? usageOfParent(row.pid, 'postgres') : null;
  return {
    figures: {
      mem_bytes: usage?.mem_bytes ?? null,
      disk_pct: usage?.disk_pct ?? null,
      disk_free_bytes: usage?.disk_free_bytes ?? null,
      disk_used_bytes: Number(row.bytes),
      queue: Number(row.waiting),
      cores: usage === null ? null : availableParallelism(),
      uptime_s: whole(Number(row.uptime_s)),
    },
    counters: {
      in: Number(row.changed),
      out: Number(row.read),
      dropped: Number(row.deadlocks),
      ...(usage === null ? {} : { cpu_ms: usage.cpu_ms }),
    },
    version: row.version,
  };
}

/**
 * Counts of an engine in one answer, by name. Processor time is that of its queries and merges; `cores`: as many threads as
 * a query may take, which is one a core unless somebody has set it.
 */
const CLICKHOUSE = `
  SELECT event AS name, toString(value) AS value FROM system.events
  WHERE event IN ('InsertedRows', 'SelectedRows', 'RejectedInserts', 'OSCPUVirtualTimeMicroseconds')
  UNION ALL SELECT metric, toString(value) FROM system.metrics
  WHERE metric IN ('MemoryTracking', 'DelayedInserts', 'DistributedFilesToInsert', 'PendingAsyncInsert')
  UNION ALL SELECT 'memory_limit', toString(getServerSetting('max_server_memory_usage'))
  UNION ALL SELECT 'cores', toString(getSetting('max_threads'))
  UNION ALL SELECT 'uptime', toString(uptime())
  UNION ALL SELECT 'version', version()
  UNION ALL SELECT 'disk_free', toString(sum(free_space)) FROM system.disks WHERE total_space < 1e18
  UNION ALL SELECT 'disk_total', toString(sum(total_space)) FROM system.disks WHERE total_space < 1e18
  UNION ALL SELECT 'disk_used', toString(sum(bytes_on_disk)) FROM system.parts WHERE active`;

/** The sample that an engine's counts come to. */
function clickhouseSample(
  rows: readonly { readonly name: string; readonly value: string }[],
): ComponentSample {
  const said = new Map(rows.map(({ name, value }) => [name, value]));
  const count = (name: string): number => Number(said.get(name) ?? 0);
  const total = count('disk_total');
  const hasDisk = total > 0;
  return {
    figures: {
      mem_pct: percentOf(count('MemoryTracking'), count('memory_limit')),
      mem_bytes: Math.max(0, count('MemoryTracking')),
      disk_pct: hasDisk ? percentOf(total - count('disk_free'), total) : null,
      disk_free_bytes: hasDisk ? count('disk_free') : null,
      disk_used_bytes: count('disk_used'),
      queue: count('DelayedInserts') + count('DistributedFilesToInsert') + count('PendingAsyncInsert'),
      cores: Math.max(1, count('cores')),
      uptime_s: count('uptime'),
    },
    counters: {
      in: count('InsertedRows'),
      out: count('SelectedRows'),
      dropped: count('RejectedInserts'),
      cpu_ms: whole(count('OSCPUVirtualTimeMicroseconds') / 1000),
    },
    version: said.get('version') ?? '',
  };
}

interface NodeSample {
  readonly node: string;
  readonly sample: ComponentSample;
}

/** Each ClickHouse engine that answers: of the platform, or the own one of a tenant. */
export async function sampleClickhouse(
  eventStore: Pick<EventStore, 'nodeRows'>,
  clusterId: string | null,
): Promise<{ readonly answered: readonly NodeSample[]; readonly silent: readonly string[] }> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const asked = await eventStore.nodeRows<{ name: string; value: string }>(CLICKHOUSE, clusterId, signal);
  return {
    answered: asked.flatMap(({ node, answer }) =>
      answer === null ? [] : [{ node, sample: clickhouseSample(answer) }],
    ),
    silent: asked.flatMap(({ node, answer }) => (answer === null ? [node] : [])),
  };
}
