// The tables of a tenant's database; db/clickhouse defines them.

/** Events, and what is counted of them. All are partitioned by the day of arrival and the class of retention. */
export const EVENT_TABLES = ['events', 'event_figures', 'host_figures'] as const;

/**
 * Whatever holds rows of scopes: the tables, the views that fill the figures, which answer like their table, what
 * searches found, the rows of uploaded tables, and indicators that are looked for.
 */
export const FILTERED_TABLES = [
  ...EVENT_TABLES,
  'fill_event_figures',
  'fill_host_figures',
  'search_results',
  'indicator_sets',
  'eventstore_rows',
] as const;

/** The index on the words of `Raw`. */
export const TEXT_INDEX = 'ix_Raw';

/**
 * Settings of an insert of events: merges build the indexes, and until then the columns are read, with the same answers
 * (docs/decisions/0010).
 */
export const INDEXES_LEFT_TO_MERGES = { materialize_skip_indexes_on_insert: 0 } as const;

/** A day of arrival and a class of retention: what is dropped as one. */
export interface EventPartition {
  /** `2026-03-01`, UTC. */
  readonly day: string;
  /** Days for which the streams in it were kept when their events came in; 0 where nobody had said. */
  readonly retentionDays: number;
}

/** The engine's name of the partition, the same in all three tables. */
export function partitionId({ day, retentionDays }: EventPartition): string {
  return `${day.replaceAll('-', '')}-${retentionDays}`;
}

/** The partition that the engine calls so. */
export function partitionOf(id: string): EventPartition {
  const found = /^(\d{4})(\d{2})(\d{2})-(\d+)$/.exec(id);
  if (!found) throw new Error(`not a partition of events: ${id}`);
  return { day: found.slice(1, 4).join('-'), retentionDays: Number(found[4]) };
}
