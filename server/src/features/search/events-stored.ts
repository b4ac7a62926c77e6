import type { EventQuery, EventStore } from '../../platform/clickhouse/event-store.ts';

// How many events a query would read, from the engine's own indexes. Most tenants store so few that it need not be
// asked: how many they have at all is kept for a minute.

type Statement = Required<Pick<EventQuery, 'sql' | 'params' | 'settings' | 'scopes'>>;

export interface EventsStored {
  /**
   * Events that the engine would read for a query, which names the database of the tenant's tables, or all that the tenant
   * has when these are no more than `few`.
   */
  toRead(clusterId: string, query: Statement, few: number, signal?: AbortSignal): Promise<number>;
}

const FRESH_MS = 60_000;

export function createEventsStored(events: Pick<EventStore, 'rowsOfEach'>): EventsStored {
  const known = new Map<string, { readonly atMs: number; readonly count: Promise<number> }>();

  const estimate = async (clusterId: string, query: Statement, signal?: AbortSignal): Promise<number> => {
    const { columns, rows } = await events.rowsOfEach(clusterId, {
      ...query,
      sql: `EXPLAIN ESTIMATE ${query.sql}`,
      // Otherwise what the indexes leave out is known only while the query reads.
      settings: { ...query.settings, use_skip_indexes_on_data_read: 0 },
      ...(signal ? { signal } : {}),
    });
    const position = columns.findIndex(({ name }) => name === 'rows');
    return rows.reduce((sum, row) => sum + Number(row[position] ?? 0), 0);
  };
  const all = (clusterId: string): Promise<number> => {
    const before = known.get(clusterId);
    if (before && performance.now() - before.atMs < FRESH_MS) return before.count;
    const everything = { sql: 'SELECT Scope FROM events', params: {}, settings: {}, scopes: 'all' } as const;
    const count = estimate(clusterId, everything);
    known.set(clusterId, { atMs: performance.now(), count });
    count.catch(() => known.delete(clusterId));
    return count;
  };

  return {
    toRead: async (clusterId, query, few, signal) => {
      const count = await all(clusterId);
      return count <= few ? count : estimate(clusterId, query, signal);
    },
  };
}
