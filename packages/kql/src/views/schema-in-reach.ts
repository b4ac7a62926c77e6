import type { KqlType } from '@tyrian/catalog';
import { extField, tableMark } from '@tyrian/catalog';
import type { KqlSchema } from '../event-schema.ts';
import { kusto, kustoItems } from '../kusto.ts';
import type { TableSource } from '../table-source.ts';
import { streamText } from './catalog-tables.ts';
import { globalsOf } from './table-symbols.ts';

// What one text can name, where that depends on the text. Tables of custom logs (`..._CL`) and AzureDiagnostics have
// the columns that sources send, named with their type at the end, so they are those that the text names. And `*`,
// all tables, means the streams as long as the text names nothing that only a well-known table has, its `Timestamp` and
// `Type` aside: every event then counts once.

const TYPE_BY_SUFFIX: Readonly<Record<string, KqlType>> = {
  s: 'string',
  d: 'real',
  b: 'bool',
  t: 'datetime',
  g: 'string',
};
const CUSTOM_LOG = /\b[A-Za-z]\w*_CL\b/g;
const CUSTOM_COLUMN = /\b[A-Za-z_]\w*_([sdbtg])\b/g;
const OPEN_TABLES = ['AzureDiagnostics'];
const EVERY_TABLE =
  /\bunion\b[^|;]*(?:^|[\s,(=])\*\s*(?=$|[|;),])|(?:^|[;(\n=])\s*(?:search|find)\b(?!\s+in\b)/;

const CUSTOM_STANDARD: readonly (readonly [name: string, type: KqlType, value: string])[] = [
  ['TimeGenerated', 'datetime', 'TimeGenerated'],
  ['Computer', 'string', 'DvcHostname'],
  ['RawData', 'string', 'Raw'],
  ['TenantId', 'string', extField('TenantId')],
  ['SourceSystem', 'string', extField('SourceSystem')],
];

/** The schema that a text is bound against. */
export function schemaInReach(text: string, schema: KqlSchema): KqlSchema {
  const opened = withOpenTables(text, schema);
  if (!EVERY_TABLE.test(text)) return opened;
  const streams: Reach = NAMES_LABEL.test(text)
    ? labelledStreams(schema)
    : { tables: schema.streams, globals: schema.streamGlobals };
  return bindsTo(text, streams.globals) ? { ...opened, ...streams } : opened;
}

function bindsTo(text: string, globals: KqlSchema['globals']): boolean {
  try {
    const code = kusto.KustoCode.ParseAndAnalyze(text, globals);
    return !kustoItems(code.GetDiagnostics()).some((one) => one.Severity === 'Error');
  } catch {
    // What the language service does not get over is told when the text is bound.
    return false;
  }
}

const NAMES_LABEL = /\b(?:Timestamp|Type)\b/;

type Reach = Pick<KqlSchema, 'tables' | 'globals'>;
const labelledOf = new WeakMap<KqlSchema, Reach>();

/** The streams with the two columns that every well-known table has and hunters use with `search`. */
function labelledStreams(schema: KqlSchema): Reach {
  const known = labelledOf.get(schema);
  if (known) return known;
  const tables = new Map([...schema.streams].map(([name, table]) => [name, labelled(table)]));
  const reach = { tables, globals: globalsOf(tables.values()) };
  labelledOf.set(schema, reach);
  return reach;
}

function labelled(table: TableSource): TableSource {
  const own = new Set(table.columns.map(({ name }) => name));
  const added = LABELS.filter(([name]) => !own.has(name));
  return {
    ...table,
    columns: [...table.columns, ...added.map(([name, type]) => ({ name, type }))],
    view: `${table.view ?? streamText(table.name)} | extend ${added.map(([name, , value]) => `${name} = ${value}`).join(', ')}`,
  };
}

const LABELS: readonly (readonly [name: string, type: KqlType, value: string])[] = [
  ['Timestamp', 'datetime', 'TimeGenerated'],
  ['Type', 'string', 'Stream'],
];

function withOpenTables(text: string, schema: KqlSchema): KqlSchema {
  const custom = new Set((text.match(CUSTOM_LOG) ?? []).filter((name) => !schema.tables.has(name)));
  const open = OPEN_TABLES.filter((name) => text.includes(name));
  if (custom.size === 0 && open.length === 0) return schema;
  const named = [...text.matchAll(CUSTOM_COLUMN)].map(([name, suffix = 's']) => ({
    name,
    type: TYPE_BY_SUFFIX[suffix] ?? 'string',
  }));
  const key = JSON.stringify([...custom, open, ...newOnes(named, new Set()).map(({ name }) => name)]);
  const known = openedOf.get(schema)?.get(key);
  if (known) return known;
  const opened = openedSchema(schema, custom, open, named);
  const kept = openedOf.get(schema) ?? new Map<string, KqlSchema>();
  // The oldest goes first; a text that is being written changes its columns with every key.
  const [oldest] = kept.keys();
  if (kept.size >= MAX_OPENED && oldest !== undefined) kept.delete(oldest);
  openedOf.set(schema, kept.set(key, opened));
  return opened;
}

/** Schemas of texts with open tables, by what they name: the tables of the language service take long to build. */
const openedOf = new WeakMap<KqlSchema, Map<string, KqlSchema>>();
const MAX_OPENED = 16;

function openedSchema(
  schema: KqlSchema,
  custom: ReadonlySet<string>,
  open: readonly string[],
  named: Named,
): KqlSchema {
  const tables = new Map(schema.tables);
  for (const name of custom) tables.set(name, customLog(name, named));
  for (const name of open) {
    const table = schema.tables.get(name);
    if (table) tables.set(name, widenedBy(table, named));
  }
  return { ...schema, tables, globals: globalsOf(tables.values()) };
}

type Named = readonly { readonly name: string; readonly type: KqlType }[];

function newOnes(columns: Named, known: ReadonlySet<string>): Named {
  const seen = new Set(known);
  return columns.filter(({ name }) => !seen.has(name) && seen.add(name));
}

const assigned = (columns: Named): string[] =>
  columns.map(({ name, type }) => `${name} = ${extField(name, type)}`);

function customLog(table: string, named: Named): TableSource {
  const extra = newOnes(named, new Set(CUSTOM_STANDARD.map(([name]) => name)));
  const values = [
    ...CUSTOM_STANDARD.map(([name, , value]) => `${name} = ${value}`),
    ...assigned(extra),
    `Type = "${table}"`,
  ];
  return {
    name: table,
    stream: null,
    columns: [
      ...CUSTOM_STANDARD.map(([name, type]) => ({ name, type })),
      ...extra,
      { name: 'Type', type: 'string' },
    ],
    view: `Events | where SourceType == "${tableMark(table)}" | project ${values.join(', ')}`,
  };
}

/** The further columns go in front of the projection of the view, and through it. */
function widenedBy(table: TableSource, named: Named): TableSource {
  const extra = newOnes(named, new Set(table.columns.map(({ name }) => name)));
  if (extra.length === 0 || !table.view) return table;
  return {
    ...table,
    columns: [...table.columns, ...extra],
    view: `${table.view}, ${assigned(extra).join(', ')}`,
  };
}
