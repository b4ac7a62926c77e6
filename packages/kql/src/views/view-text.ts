import {
  EVENT_COLUMNS,
  type KqlType,
  type WellKnownColumn,
  type WellKnownTable,
  WIDENED_STREAMS,
} from '@tyrian/catalog';

// A well-known table as KQL over the streams. The text is ours, so it is bound once and kept.

const eventTypes = new Map<string, KqlType>(EVENT_COLUMNS.map(({ name, type }) => [name, type]));

/** A column of the event is converted when it is of another type than the documented one. */
function assignment({ name, type, value }: WellKnownColumn): string {
  const own = eventTypes.get(value);
  return `${name} = ${own === undefined || own === type ? value : `to${type}(${value})`}`;
}

/** `stream | where rows | project the documented columns`. */
export const viewText = ({ rows, columns }: WellKnownTable): string =>
  `${rows} | project ${columns.map(assignment).join(', ')}`;

const widenedByName = new Map(WIDENED_STREAMS.map((table) => [table.name, table]));

/** The columns that a table with the name of a stream has beside the typed ones, by that name. */
export const WIDENED_COLUMNS: ReadonlyMap<string, readonly { name: string; type: KqlType }[]> = new Map(
  WIDENED_STREAMS.map(({ name, columns }) => [
    name,
    columns
      .filter((column) => !eventTypes.has(column.name))
      .map(({ name: own, type }) => ({ name: own, type })),
  ]),
);

/** A stream with those columns, or all the rows that the table of its name holds. */
export function widenedText(stream: string, rows: 'of the stream' | 'of the table'): string {
  const table = widenedByName.get(stream);
  const source = rows === 'of the table' ? (table?.rows ?? stream) : stream;
  return `${source} | extend ${(table?.columns ?? []).map(assignment).join(', ')}`;
}
