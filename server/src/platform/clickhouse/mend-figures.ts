import { readHoldings } from './event-holdings.ts';
import type { EventStore } from './event-store.ts';
import { partitionId } from './event-tables.ts';
import { BY_HOST, BY_MINUTE, countingOf, type FigureTable } from './figure-tables.ts';

// Figures are filled behind the events of an insert and are not synced to disk. Where a crash fell between the two, or a
// power cut took figures away, a partition's figures and its rows differ in number; then they are counted again.

type Store = Pick<EventStore, 'rows' | 'command' | 'partitions' | 'tablesDatabase'>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Figures of later events may be on their way. */
const SETTLED_MS = 10 * MINUTE_MS;

/** Adds the difference between what the events say and what the figures say; a figure may also go down. */
async function mend(
  eventStore: Store,
  clusterId: string,
  table: FigureTable,
  id: string,
  until: string,
): Promise<void> {
  const [day = '', retentionDays = ''] = id.split('-');
  const ofPartition = `toYYYYMMDD(IngestedTime) = ${Number(day)} AND RetentionDays = ${Number(retentionDays)}`;
  const filter = `${ofPartition} AND IngestedTime < toDateTime64(\\'${until}\\', 3, \\'UTC\\')`;
  const known = `_partition_id = '${id}'${table === BY_MINUTE ? ` AND IngestedMinute < toDateTime('${until}', 'UTC')` : ''}`;
  const others = Object.entries(table.others);
  const sums = table.sums.map((name) => `sum(${name}) AS ${name}`);
  const columns = [...table.sums, ...Object.keys(table.others)];
  const negative = [...table.sums.map((name) => `-${name} AS ${name}`), ...Object.keys(table.others)];
  await eventStore.command(
    clusterId,
    `INSERT INTO ${table.name} (${table.keys}, ${columns.join(', ')})
    SELECT ${table.keys}, ${[...sums, ...others.map(([name, fn]) => `${fn}(${name}) AS ${name}`)].join(', ')}
    FROM (
      SELECT ${table.keys}, ${columns.join(', ')} FROM (${await countingOf(eventStore, clusterId, table.view)})
      UNION ALL
      SELECT ${table.keys}, ${negative.join(', ')} FROM ${table.name} WHERE ${known}
    )
    GROUP BY ${table.keys} HAVING ${table.sums.map((name) => `${name} != 0`).join(' OR ')}
    SETTINGS insert_deduplicate = 0,
      additional_table_filters = {'${await eventStore.tablesDatabase(clusterId)}.events': '${filter}'}`,
  );
}

/**
 * Counts again where figures and events differ. Answers the partitions that were counted again. Events of the last
 * minutes are left for the next time, those of the present day in the figures of hosts too.
 */
export async function mendFigures(eventStore: Store, clusterId: string, nowMs: number): Promise<string[]> {
  const told = new Map<string, number>();
  for (const holding of await readHoldings(eventStore, clusterId)) {
    const id = partitionId(holding);
    told.set(id, (told.get(id) ?? 0) + holding.events);
  }
  const held = new Map((await eventStore.partitions(clusterId)).map(({ id, rows }) => [id, rows]));
  const wrong = [...new Set([...held.keys(), ...told.keys()])].filter(
    (id) => (held.get(id) ?? 0) !== (told.get(id) ?? 0),
  );
  const untilMs = Math.floor((nowMs - SETTLED_MS) / MINUTE_MS) * MINUTE_MS;
  const until = new Date(untilMs).toISOString().slice(0, 19).replace('T', ' ');
  for (const id of wrong) {
    await mend(eventStore, clusterId, BY_MINUTE, id, until);
    const day = Date.parse(id.replace(/^(\d{4})(\d{2})(\d{2})-.*$/, '$1-$2-$3'));
    if (day + DAY_MS <= untilMs) await mend(eventStore, clusterId, BY_HOST, id, until);
  }
  return wrong;
}
