import type { EventStore } from './event-store.ts';
import type { EventPartition } from './event-tables.ts';

// What a tenant holds, told by its figures.

/** Events of one stream in one scope in one partition. */
export interface Holding extends EventPartition {
  readonly scope: string;
  readonly stream: string;
  readonly events: number;
  /** Of the text and the fields, before they are packed. */
  readonly bytes: number;
}

/** Everything that came in before a day (`2026-03-01`, UTC; empty: all). Reads figures, no events. */
export async function readHoldings(
  eventStore: Pick<EventStore, 'rows'>,
  clusterId: string,
  before = '',
): Promise<Holding[]> {
  const { rows } = await eventStore.rows(clusterId, {
    sql: `SELECT toString(toDate(IngestedMinute)) AS Day, RetentionDays, Scope, Stream, sum(Events), sum(StoredBytes)
      FROM event_figures
      WHERE ({before:String} = '' OR IngestedMinute < toDateTime(toDateOrZero({before:String}), 'UTC'))
      GROUP BY Day, RetentionDays, Scope, Stream HAVING sum(Events) > 0 ORDER BY Day, RetentionDays, Scope, Stream`,
    params: { before },
    scopes: 'all',
  });
  return rows.map(([day, retentionDays, scope, stream, events, bytes]) => ({
    day: String(day),
    retentionDays: Number(retentionDays),
    scope: String(scope),
    stream: String(stream),
    events: Number(events),
    bytes: Number(bytes),
  }));
}
