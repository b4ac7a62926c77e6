import type { KqlType } from '../column.ts';
import type { StreamName } from '../streams.ts';

// Tables that hunters know by name from other products, as views: their documented columns, in order and type, over
// the events of our streams. A column is the typed column that means the same, a KQL expression over the event, or the
// field of its own name below `Ext`. A record that says to which of these tables it belongs is decoded by the same
// table: what has a typed column goes there, the rest into `Ext` under the documented name.

export interface WellKnownColumn {
  readonly name: string;
  readonly type: KqlType;
  /** KQL over the columns of an event. A bare column name works in both directions: decoding fills it. */
  readonly value: string;
}

export interface WellKnownTable {
  readonly name: string;
  readonly description: string;
  /** Where rows that name this table are stored. */
  readonly stream: StreamName;
  /** KQL: the source of the rows, a pipe over the streams. */
  readonly rows: string;
  readonly columns: readonly WellKnownColumn[];
}

interface TableParts {
  readonly stream: StreamName;
  /** KQL of a source whose rows are rows of this table too, beside those that name it. */
  readonly from?: string;
  /** `Name` or `Name:type`, separated by white space; a name without a type is a string. */
  readonly columns: string;
  /** `Name = KQL`, one a line; columns without a line are fields below `Ext`. */
  readonly values?: string;
}

/** How `SourceType` marks a record that names its table. */
export const tableMark = (name: string): string => `table:${name}`;

const CONVERSIONS: Readonly<Record<KqlType, (field: string) => string>> = {
  string: (field) => `tostring(${field})`,
  dynamic: (field) => `parse_json(tostring(${field}))`,
  datetime: (field) => `todatetime(tostring(${field}))`,
  bool: (field) => `tobool(tostring(${field}))`,
  int: (field) => `toint(tostring(${field}))`,
  long: (field) => `tolong(tostring(${field}))`,
  real: (field) => `toreal(tostring(${field}))`,
  decimal: (field) => `todecimal(tostring(${field}))`,
  timespan: (field) => `totimespan(tostring(${field}))`,
  guid: (field) => `toguid(tostring(${field}))`,
};

/** The KQL of a field below `Ext`, in a type. */
export const extField = (name: string, type: KqlType = 'string'): string => CONVERSIONS[type](`Ext.${name}`);

/** Values that mean the same in every table. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  TimeGenerated: 'TimeGenerated',
  Timestamp: 'TimeGenerated',
  _BilledSize: 'toreal(string_size(Raw))',
  _IsBillable: '"True"',
};

/** A well-known table from its compact description. */
export function wellKnownTable(name: string, description: string, parts: TableParts): WellKnownTable {
  const values = new Map(
    (parts.values ?? '')
      .split('\n')
      .map((line) => /^\s*(\w+) = (.*\S)\s*$/.exec(line))
      .flatMap((match): [string, string][] => (match ? [[match[1] ?? '', match[2] ?? '']] : [])),
  );
  const columns = parts.columns
    .trim()
    .split(/\s+/)
    .map((text): WellKnownColumn => {
      const [own = '', type = 'string'] = text.split(':');
      const known = type as KqlType;
      const standard = own === 'Type' ? `"${name}"` : EVERYWHERE[own];
      return { name: own, type: known, value: values.get(own) ?? standard ?? extField(own, known) };
    });
  const named = `SourceType == "${tableMark(name)}"`;
  const rows = parts.from ?? `${parts.stream} | where ${named}`;
  return { name, description, stream: parts.stream, rows: rows.replaceAll('$named', named), columns };
}
