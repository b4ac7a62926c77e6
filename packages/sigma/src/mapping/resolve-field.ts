import { EVENT_COLUMNS, JSON_TIME_FIELDS, PRODUCT_FIELD_NAMES } from '@tyrian/catalog';
import { extSource, type FieldSource, itemSource, parseFieldSource } from './field-source.ts';
import {
  APPLICATION_FIELDS,
  AUDITD_FIELDS,
  AZURE_FIELDS,
  CLOUDTRAIL_FIELDS,
  GCP_FIELDS,
  M365_FIELDS,
  NETWORK_FIELDS,
  OKTA_FIELDS,
  WEB_FIELDS,
  ZEEK_FIELDS,
} from './other-fields.ts';
import type { FieldTable, LogSourceMapping } from './source-condition.ts';
import { DEFENDER_FIELDS, WINDOWS_FIELDS } from './windows-fields.ts';

// Which column, or which path below `Ext`, a field of a rule is read from, and which table said so.

/** Where a field is read, and by which table: the id of a field table, `catalog`, or `ext` for a field that is in none. */
export interface ResolvedField {
  readonly table: string;
  readonly sources: readonly FieldSource[];
}

const TABLES: readonly FieldTable[] = [
  WINDOWS_FIELDS,
  DEFENDER_FIELDS,
  AUDITD_FIELDS,
  CLOUDTRAIL_FIELDS,
  AZURE_FIELDS,
  M365_FIELDS,
  GCP_FIELDS,
  OKTA_FIELDS,
  WEB_FIELDS,
  NETWORK_FIELDS,
  ZEEK_FIELDS,
  APPLICATION_FIELDS,
];

/** The tables as they are written, by their ids. */
export const fieldTables: ReadonlyMap<string, FieldTable> = new Map(TABLES.map((table) => [table.id, table]));

interface ReadTable extends Pick<FieldTable, 'id' | 'isClosed' | 'eitherCase' | 'lists'> {
  /** By the name in small letters, as ingest looks fields up. */
  readonly fields: ReadonlyMap<
    string,
    { readonly sources: readonly FieldSource[]; readonly isSure: boolean }
  >;
}

const rows = (fields: Readonly<Record<string, string>>, isSure: boolean) =>
  Object.entries(fields).map(
    ([name, text]) =>
      [
        name.toLowerCase(),
        { isSure, sources: text === '' ? [] : text.split('|').map(parseFieldSource) },
      ] as const,
  );

const tables: ReadonlyMap<string, ReadTable> = new Map(
  TABLES.map((table) => [
    table.id,
    { ...table, fields: new Map([...rows(table.also, false), ...rows(table.sure, true)]) },
  ]),
);

const columnNames = new Set(EVENT_COLUMNS.map(({ name }) => name));
/** Columns by the names that other vocabularies give them, in the order in which ingest takes them. */
const catalogNames = new Map<string, string>();
for (const vocabulary of ['ecs', 'ocsf', 'cim', 'sigma'] as const)
  for (const { name, aliases } of EVENT_COLUMNS)
    for (const alias of aliases[vocabulary] ?? [])
      if (!catalogNames.has(alias)) catalogNames.set(alias, name);

/** Names that ingest lifts from records of any product; an empty column takes one out. */
const liftedNames = new Map(
  [...catalogNames, ...Object.entries(PRODUCT_FIELD_NAMES)].map(([name, column]) => [
    name.toLowerCase(),
    column,
  ]),
);
/** Names of the time of an event, by which its column is not called. */
const timeNames = new Set(
  [...JSON_TIME_FIELDS, 'UtcTime', 'TimeCreated', 'SystemTime'].map((name) => name.toLowerCase()),
);

/** The names below `Ext` under which a field may be kept. */
function keptAs(field: string, asked: readonly ReadTable[]): readonly FieldSource[] {
  const eitherCase = asked.some((table) => table.eitherCase);
  const first = field[0] ?? '';
  const other = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
  const names = eitherCase && other !== first ? [field, other + field.slice(1)] : [field];
  const lists = asked
    .flatMap((table) => table.lists ?? [])
    .filter((list) => field.toLowerCase().startsWith(`${list.toLowerCase()}.`));
  return [...names.map(extSource), ...lists.map((list) => itemSource(list, field.slice(list.length + 1)))];
}

/** Where the field of a rule is read in the events of a log source. */
export function resolveField(field: string, mapping: LogSourceMapping): ResolvedField {
  const asked = mapping.tables.flatMap((id) => tables.get(id) ?? []);
  for (const table of asked) {
    const known = table.fields.get(field.toLowerCase());
    if (!known) continue;
    return {
      table: table.id,
      sources: known.isSure ? known.sources : distinct([...known.sources, ...keptAs(field, asked)]),
    };
  }
  if (columnNames.has(field)) {
    const own: FieldSource = { kind: 'column', name: field };
    // Records with names of their own may call something else so, which has no column.
    const isOurs = field === 'TimeGenerated' || !asked.some((table) => table.isClosed);
    return { table: 'catalog', sources: isOurs ? [own] : [own, ...keptAs(field, asked)] };
  }
  const column = liftedInto(field, asked);
  const kept = keptAs(field, asked);
  return column === undefined || column === ''
    ? { table: 'ext', sources: kept }
    : { table: 'catalog', sources: [{ kind: 'column', name: column }, ...kept] };
}

function liftedInto(field: string, asked: readonly ReadTable[]): string | undefined {
  const name = field.toLowerCase();
  if (timeNames.has(name)) return 'TimeGenerated';
  return asked.some((table) => table.isClosed) ? undefined : liftedNames.get(name);
}

const distinct = (sources: readonly FieldSource[]): readonly FieldSource[] => [
  ...new Map(sources.map((source) => [JSON.stringify(source), source])).values(),
];
