import type { EventQuery, EventStore } from '../../platform/clickhouse/event-store.ts';
import { keepNewest } from '../../platform/keep-newest.ts';

// How many events a query would read, from the engine's own indexes. Most tenants store so few that it need not be
// asked: how many they have at all is kept for a minute. Neither is it asked again at once how densely the events of
// a table lie: it says how large a part to read first, no more.

type Statement = Required<Pick<EventQuery, 'sql' | 'params' | 'settings' | 'scopes'>>;

export interface ReadQuestion {
  /** Called when the engine is asked. */
  readonly query: () => Promise<Statement>;
  /** The answer may be all that the tenant has, when these are no more. */
  readonly few: number;
  /** Where `query` takes every event of a range: of what, by name, and how long the range is. */
  readonly every?: { readonly of: string; readonly spanMs: number };
  readonly signal?: AbortSignal | undefined;
}

export interface EventsStored {
  /** Events that the engine would read for a query, which names the database of the tenant's tables, nearly. */
  toRead(clusterId: string, question: ReadQuestion): Promise<number>;
}

const FRESH_MS = 60_000;
const MAX_KNOWN = 2_000;

interface Known {
  readonly atMs: number;
  readonly value: Promise<number>;
}

export function createEventsStored(
  events: Pick<EventStore, 'rowsOfEach'>,
  nowMs: () => number = () => performance.now(),
): EventsStored {
  const known = new Map<string, Known>();

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
  const kept = (key: string, ask: () => Promise<number>): Promise<number> => {
    const before = known.get(key);
    if (before && nowMs() - before.atMs < FRESH_MS) return before.value;
    const value = ask();
    keepNewest(known, key, { atMs: nowMs(), value }, MAX_KNOWN);
    value.catch(() => known.delete(key));
    return value;
  };
  const everything = { sql: 'SELECT Scope FROM events', params: {}, settings: {}, scopes: 'all' } as const;

  return {
    toRead: async (clusterId, { query, few, every, signal }) => {
      const all = await kept(clusterId, () => estimate(clusterId, everything));
      if (all <= few) return all;
      if (!every || every.spanMs <= 0) return estimate(clusterId, await query(), signal);
      const perMs = await kept(`${clusterId}\n${every.of}`, async () => {
        return (await estimate(clusterId, await query())) / every.spanMs;
      });
      return Math.ceil(perMs * every.spanMs);
    },
  };
}
