// The queues of queries, and what each may use. Every queue has slots of its own, so that a flood of searches
// never holds up detections, nor the other way round; a tenant can fill only a part of a queue.

export const QUERY_QUEUES = [
  'interactive',
  'panels',
  'analytics',
  'exports',
  'reports',
  'detections',
] as const;
export type QueryQueue = (typeof QUERY_QUEUES)[number];

export interface QueueLimits {
  /** A query that takes longer is stopped by the engine. */
  readonly maxSeconds: number;
  readonly maxMemoryBytes: number;
  /** Queries that run at once, over all tenants and processes. */
  readonly slots: number;
  /** Of these, the most that one tenant may hold. */
  readonly slotsPerTenant: number;
  /** Queries of one tenant that may wait; one more is refused. */
  readonly waitingPerTenant: number;
  /**
   * A tenant that holds no slot and has waited so long starts beyond `slots`, up to `maxSlots`: those who hold
   * theirs for an hour keep nobody else away.
   */
  readonly patienceMs?: number;
  readonly maxSlots?: number;
  /** The engine lets lower numbers go first. */
  readonly enginePriority: number;
  /** Threads of the engine for one query; as many as it likes when absent. */
  readonly maxThreads?: number;
}

const GIB = 1024 ** 3;

export const QUEUE_LIMITS: Readonly<Record<QueryQueue, QueueLimits>> = {
  interactive: {
    maxSeconds: 300,
    maxMemoryBytes: 4 * GIB,
    slots: 8,
    slotsPerTenant: 4,
    waitingPerTenant: 100,
    enginePriority: 1,
  },
  panels: {
    maxSeconds: 60,
    maxMemoryBytes: 2 * GIB,
    slots: 8,
    slotsPerTenant: 6,
    waitingPerTenant: 200,
    enginePriority: 1,
  },
  analytics: {
    maxSeconds: 120,
    maxMemoryBytes: 4 * GIB,
    slots: 4,
    slotsPerTenant: 2,
    waitingPerTenant: 100,
    enginePriority: 3,
  },
  exports: {
    maxSeconds: 3600,
    maxMemoryBytes: 6 * GIB,
    slots: 4,
    slotsPerTenant: 1,
    waitingPerTenant: 50,
    patienceMs: 5_000,
    maxSlots: 32,
    enginePriority: 5,
    // A file is written no faster by more of them, and everything else waits.
    maxThreads: 1,
  },
  reports: {
    maxSeconds: 3600,
    maxMemoryBytes: 6 * GIB,
    slots: 4,
    slotsPerTenant: 1,
    waitingPerTenant: 50,
    patienceMs: 5_000,
    maxSlots: 32,
    enginePriority: 5,
  },
  detections: {
    maxSeconds: 120,
    maxMemoryBytes: 2 * GIB,
    slots: 4,
    slotsPerTenant: 2,
    waitingPerTenant: 10_000,
    enginePriority: 1,
  },
};

/** What decides how soon the engine lets a query go on beside others. */
export interface QueryStanding {
  /** Reads the newest events in steps of about a second's work. */
  readonly isStepped: boolean;
  /** Queries that the tenant runs already. */
  readonly own: number;
  /** Other tenants run queries too. */
  readonly others: boolean;
  /** Threads of the engine for it; null for as many as the engine likes. */
  readonly threads: number | null;
  /** Queries of the tenant have run for much of the last seconds, while others asked too. */
  readonly usesMuch: boolean;
}

const ALONE: QueryStanding = { isStepped: true, own: 0, others: false, threads: null, usesMuch: false };

/**
 * How long a query pauses at a time while one of higher priority runs. The engine's own second would let a stream of small
 * queries stop a large one; this still leaves the small ones nearly all of the processor.
 */
const PAUSE_MS = 10;

/**
 * Many conditions are evaluated over each block of events: of the engine's own size a block has few events once their texts
 * are read, and each condition costs something for each block (8 % less processor time for thousands of rules).
 */
const DETECTION_BLOCKS = { preferred_block_size_bytes: 32 * 1024 * 1024 } as const;

/**
 * Engine settings of a queue. Sorting and grouping spill to disk long before the memory limit, which the event store
 * lowers to what the engine allows. Without a standing a query has the best one of its queue.
 */
export function queueSettings(
  queue: QueryQueue,
  standing: QueryStanding = ALONE,
): Record<string, string | number> {
  const limits = QUEUE_LIMITS[queue];
  const memoryBytes = limits.maxMemoryBytes;
  const threads = limits.maxThreads ?? standing.threads;
  return {
    max_execution_time: limits.maxSeconds,
    max_memory_usage: memoryBytes,
    max_bytes_before_external_group_by: Math.floor(memoryBytes / 4),
    max_bytes_before_external_sort: Math.floor(memoryBytes / 4),
    priority: enginePriority(queue, standing),
    ...(threads === null ? {} : { max_threads: threads }),
    ...(queue === 'detections' && DETECTION_BLOCKS),
    low_priority_query_wait_time_ms: PAUSE_MS,
  };
}

/**
 * Whether the engine's threads for a query let others of the machine go first: while several tenants ask, those of queries
 * that read everything, and all of a tenant that has used much lately.
 */
export function givesWay(queue: QueryQueue, { isStepped, threads, usesMuch }: QueryStanding): boolean {
  return queue !== 'detections' && threads !== null && (usesMuch || !isStepped);
}

/** How the engine runs a query of a queue. */
export interface EngineTerms {
  readonly settings: Record<string, string | number>;
  readonly givesWay: boolean;
}

export const engineTerms = (queue: QueryQueue, standing: QueryStanding): EngineTerms => ({
  settings: queueSettings(queue, standing),
  givesWay: givesWay(queue, standing),
});

/** A detection is never behind for what its tenant's people ask; nobody is behind while one tenant is alone. */
function enginePriority(queue: QueryQueue, { isStepped, own, others }: QueryStanding): number {
  const { enginePriority: best } = QUEUE_LIMITS[queue];
  if (queue === 'detections') return best;
  return best + (isStepped ? 0 : 1) + (others ? own : 0);
}

/**
 * A query that reads no events makes its rows itself, e.g. with `range`: in small blocks, for it pauses for others only
 * between two of them, and one of the engine's own size can hold a hundred megabytes of them.
 */
export const MADE_ROWS_SETTINGS = { max_block_size: 8192 } as const;
