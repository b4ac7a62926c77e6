import type { EventStore } from './event-store.ts';

// The tables of figures, and how their views count.

export interface FigureTable {
  readonly name: string;
  /** Its SELECT is how the figures are counted. */
  readonly view: string;
  readonly keys: string;
  readonly sums: readonly string[];
  /** Simple aggregates beside the sums, with their function. */
  readonly others: Readonly<Record<string, 'min' | 'max'>>;
}

export const BY_MINUTE: FigureTable = {
  name: 'event_figures',
  view: 'fill_event_figures',
  keys: 'IngestedMinute, EventMinute, Scope, Stream, SourceName, SourceType, ParseStatus, Detection, Score, RetentionDays',
  sums: ['Events', 'RawBytes', 'StoredBytes'],
  others: { FirstEvent: 'min', LastEvent: 'max', LastIngested: 'max' },
};
export const BY_HOST: FigureTable = {
  name: 'host_figures',
  view: 'fill_host_figures',
  keys: 'IngestedDay, EventHour, Scope, Stream, DvcHostname, RetentionDays',
  sums: ['Events'],
  others: {},
};

/** How the view counts. */
export async function countingOf(
  eventStore: Pick<EventStore, 'rows' | 'tablesDatabase'>,
  clusterId: string,
  view: string,
): Promise<string> {
  const { rows } = await eventStore.rows(clusterId, {
    sql: 'SELECT as_select FROM system.tables WHERE database = {database:String} AND name = {view:String}',
    params: { view, database: await eventStore.tablesDatabase(clusterId) },
    scopes: 'all',
  });
  const counting = String(rows[0]?.[0] ?? '');
  if (counting === '') throw new Error(`the view ${view} of tenant ${clusterId} is missing`);
  return counting;
}
