import { ALL_EVENTS, EVENT_COLUMNS, type KqlType, WIDENED_STREAMS } from '@tyrian/catalog';
import {
  call,
  columnReference,
  constant,
  type Plan,
  type PlanNode,
  type Scalar,
  type ScanColumn,
} from '@tyrian/plan';
import type { LogSourceMapping, SourceCondition } from '../mapping/source-condition.ts';
import { allOf, anyOf, not } from './logic.ts';

// The table that a rule reads, with the column ids that the same query in KQL would have.

const IDS = new Map(EVENT_COLUMNS.map(({ name, type }, index) => [name, { id: index + 1, type }]));

const WIDENED = new Set(WIDENED_STREAMS.map(({ name }) => name));
const isWidened = (stream: string): boolean => WIDENED.has(stream);

/** A column of the scan by its name. Throws for a name that the catalog lacks, which is a fault of our data. */
export function eventColumn(name: string): Scalar {
  const found = IDS.get(name);
  if (!found) throw new Error(`The catalog has no column ${name}`);
  return columnReference(found.id, found.type);
}

/** The type of a column. */
export const columnType = (name: string): KqlType => eventColumn(name).type;

/** A path below `Ext` as the dynamic value that it holds. */
export const extMember = (path: readonly string[]): Scalar =>
  path.reduce<Scalar>(
    (value, name) => call('dynamic', 'member', value, constant('string', name)),
    eventColumn('Ext'),
  );

const scan = (stream: string | null): PlanNode => ({
  kind: 'scan',
  stream,
  columns: EVENT_COLUMNS.map(
    ({ name, type }, index): ScanColumn => ({ id: index + 1, type, source: { kind: 'column', name } }),
  ),
});

const texts = (values: readonly string[]): Scalar[] => values.map((value) => constant('string', value));

function conditionScalar(condition: SourceCondition): Scalar {
  if ('any' in condition) return anyOf(condition.any.map(conditionScalar));
  const column = eventColumn(condition.column);
  if ('contains' in condition)
    return call('bool', 'contains', column, constant('string', condition.contains));
  if ('notAmong' in condition) return not(textAmong(column, condition.notAmong));
  return textAmong(column, condition.among.map(String));
}

const textAmong = (column: Scalar, values: readonly string[]): Scalar => {
  const [only] = values;
  return values.length === 1 && only !== undefined
    ? call('bool', 'equal_ci', column, constant('string', only))
    : call('bool', 'in_ci', column, ...texts(values));
};

const streamAmong = (streams: readonly string[]): Scalar => {
  const [only] = streams;
  return streams.length === 1 && only !== undefined
    ? call('bool', 'equal', eventColumn('Stream'), constant('string', only))
    : call('bool', 'in', eventColumn('Stream'), ...texts(streams));
};

/** The events of a log source: a table of KQL and what tells them from its others. */
export function logSourceEvents(mapping: LogSourceMapping): {
  readonly node: PlanNode;
  readonly table: string;
} {
  const { streams } = mapping;
  const [only] = streams ?? [];
  // The name of a widened stream means more columns in KQL.
  const isOne = streams?.length === 1 && only !== undefined && !isWidened(only);
  const among = streams && !isOne ? [streamAmong(streams)] : [];
  const conditions = [...among, ...mapping.where.map(conditionScalar)];
  const events = scan(isOne ? only : null);
  const node: PlanNode =
    conditions.length === 0 ? events : { kind: 'filter', input: events, predicate: allOf(conditions) };
  return { node, table: isOne ? only : ALL_EVENTS };
}

/** A plan that shows every column of the events that `node` leaves. */
export const showEvents = (node: PlanNode): Plan => ({
  root: node,
  columns: EVENT_COLUMNS.map(({ name, type }, index) => ({ name, id: index + 1, type })),
  nextId: EVENT_COLUMNS.length + 1,
});
