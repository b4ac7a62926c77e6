import { EVENT_COLUMNS } from '@tyrian/catalog';
import type { ResultColumn, ResultValue } from '@tyrian/contract';
import { formatTime } from '../../lib/format-time.ts';
import { kqlName, kqlPath } from '../editor/kql-literal.ts';

// Values of a result as text, in order, and by name: also names below `Ext`, which no column of the result has.

export type ResultRow = readonly ResultValue[];

/** A column that is shown: one of the result, or a path below one of its dynamic columns. */
export interface ShownColumn {
  readonly name: string;
  readonly type: string;
  /** As KQL writes it. */
  readonly reference: string;
  readonly read: (row: ResultRow) => ResultValue;
}

function readPath(value: ResultValue, path: readonly string[]): ResultValue {
  let current = value;
  for (const part of path) {
    if (current === null || typeof current !== 'object') return null;
    current = (current as Record<string, unknown>)[part];
  }
  return current ?? null;
}

/** The column of that name; `Ext.a.b` reads inside `Ext`. Null when the result has nothing of the kind. */
export function shownColumn(columns: readonly ResultColumn[], name: string): ShownColumn | null {
  const index = columns.findIndex((column) => column.name === name);
  const found = columns[index];
  if (found) {
    return { name, type: found.type, reference: kqlName(name), read: (row) => row[index] ?? null };
  }
  const [head = '', ...path] = name.split('.');
  const parent = columns.findIndex((column) => column.name === head && column.type === 'dynamic');
  if (parent < 0 || path.length === 0) return null;
  return {
    name,
    type: 'dynamic',
    reference: kqlPath([head, ...path]),
    read: (row) => readPath(row[parent] ?? null, path),
  };
}

/** The value as one line of text; datetimes in the zone, to the millisecond. */
export function valueText(value: ResultValue, type: string, zone: string): string {
  if (value === null || value === undefined) return '';
  if (type === 'datetime' && typeof value === 'string') {
    const time = Date.parse(value);
    return Number.isNaN(time) ? value : formatTime(time, 'iso', zone);
  }
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

/** The value as it is copied: datetimes as they came, in UTC. */
export function rawText(value: ResultValue): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

const isBlank = (value: ResultValue): boolean => value === null || value === undefined || value === '';

const NUMERIC = new Set(['int', 'long', 'real', 'decimal']);
export const isNumeric = (type: string): boolean => NUMERIC.has(type);

/** Orders two values of a type; blanks last, whatever the direction. */
export function compareValues(a: ResultValue, b: ResultValue, type: string, descending: boolean): number {
  if (isBlank(a) || isBlank(b)) return Number(isBlank(a)) - Number(isBlank(b));
  const way = descending ? -1 : 1;
  if (NUMERIC.has(type)) return way * (Number(a) - Number(b) || 0);
  const [left, right] = [rawText(a), rawText(b)];
  if (type === 'dynamic') {
    // Numbers by their size, before all that are none: as the engine sorts them.
    const [one, other] = [Number(left), Number(right)];
    if (Number.isNaN(one) !== Number.isNaN(other)) return Number.isNaN(one) ? 1 : -1;
    if (one !== other && !Number.isNaN(one)) return way * (one - other);
  }
  return left === right ? 0 : way * (left < right ? -1 : 1);
}

/** Bookkeeping that nobody reads first. */
const LAST = new Set(
  `Ext Raw Hashes Scope EventUid IngestedTime ParseStatus ParseError SourceType SourceAddress EventVendor
   EventProduct EventSeverity`.split(/\s+/),
);
const FIRST = [
  'TimeGenerated',
  'Stream',
  'DvcHostname',
  'EventID',
  'EventType',
  'EventResult',
  'ActorUsername',
  'TargetUsername',
  'SrcIpAddr',
  'DstIpAddr',
  'ProcessName',
  'CommandLine',
  'DnsQuery',
  'Url',
  'Operation',
  'FilePath',
  'RegistryKey',
];
const MAX_COLUMNS = 9;
const STORED = new Set(EVENT_COLUMNS.map(({ name }) => name));
/** More than these are no columns that a query made: the table has names of its own. */
const MOST_MADE = 4;

/**
 * The columns to show when nobody has chosen: all of them, unless the result is whole events; then those that
 * are filled in the first rows, the telling ones first, and all that the query itself made.
 */
export function defaultColumns(columns: readonly ResultColumn[], rows: readonly ResultRow[]): string[] {
  if (columns.length <= 24) return columns.map((column) => column.name);
  const sample = rows.slice(0, 200);
  const filled = columns
    .map((column, index) => ({
      name: column.name,
      share: sample.filter((row) => !isBlank(row[index])).length / Math.max(1, sample.length),
    }))
    .filter((column) => !LAST.has(column.name));
  const known = FIRST.filter((name) => filled.some((column) => column.name === name && column.share >= 0.2));
  const rest = filled
    .filter((column) => !FIRST.includes(column.name) && column.share >= 0.6)
    .map((column) => column.name);
  const notStored = columns.map(({ name }) => name).filter((name) => !STORED.has(name));
  const made = notStored.length <= MOST_MADE ? notStored : [];
  const others = [...known, ...rest].filter((name) => !made.includes(name));
  return [...others.slice(0, MAX_COLUMNS - made.length), ...made];
}
