import { clickhouseMemoryBytes } from '../../engines/clickhouse/clickhouse-config.ts';

// The queues of queries, and what each may use. Every queue has places of its own, so that a flood of searches
// never holds up detections, nor the other way round; a tenant can fill only a part of a queue.

export const QUERY_QUEUES = ['interactive', 'analytics', 'reports', 'detections'] as const;
export type QueryQueue = (typeof QUERY_QUEUES)[number];

export interface QueueLimits {
  /** A query that takes longer is stopped by the engine. */
  readonly maxSeconds: number;
  readonly maxMemoryBytes: number;
  /** Queries that run at once in this process, over all tenants. */
  readonly places: number;
  /** Of these, the most that one tenant may hold. */
  readonly placesPerTenant: number;
  /** Queries of one tenant that may wait; one more is refused. */
  readonly waitingPerTenant: number;
  /** The engine lets lower numbers go first. */
  readonly enginePriority: number;
}

const GIB = 1024 ** 3;

export const QUEUE_LIMITS: Readonly<Record<QueryQueue, QueueLimits>> = {
  interactive: {
    maxSeconds: 300,
    maxMemoryBytes: 4 * GIB,
    places: 8,
    placesPerTenant: 4,
    waitingPerTenant: 100,
    enginePriority: 1,
  },
  analytics: {
    maxSeconds: 120,
    maxMemoryBytes: 4 * GIB,
    places: 4,
    placesPerTenant: 2,
    waitingPerTenant: 100,
    enginePriority: 2,
  },
  reports: {
    maxSeconds: 3600,
    maxMemoryBytes: 6 * GIB,
    places: 2,
    placesPerTenant: 1,
    waitingPerTenant: 50,
    enginePriority: 3,
  },
  detections: {
    maxSeconds: 120,
    maxMemoryBytes: 2 * GIB,
    places: 4,
    placesPerTenant: 2,
    waitingPerTenant: 10_000,
    enginePriority: 1,
  },
};

/** What one query may use of the engine's memory; the engine refuses a larger wish. */
const ENGINE_SHARE = 0.4;

/** Engine settings of a queue. Sorting and grouping spill to disk long before the memory limit. */
export function queueSettings(queue: QueryQueue): Record<string, string | number> {
  const limits = QUEUE_LIMITS[queue];
  const memoryBytes = Math.min(limits.maxMemoryBytes, Math.floor(clickhouseMemoryBytes() * ENGINE_SHARE));
  return {
    max_execution_time: limits.maxSeconds,
    max_memory_usage: memoryBytes,
    max_bytes_before_external_group_by: Math.floor(memoryBytes / 4),
    max_bytes_before_external_sort: Math.floor(memoryBytes / 4),
    priority: limits.enginePriority,
  };
}
