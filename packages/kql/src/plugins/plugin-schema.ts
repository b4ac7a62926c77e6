import type { Diagnostic, Span } from '@tyrian/diagnostics';
import type { KqlType, Plan } from '@tyrian/plan';
import { messages } from '../messages.ts';

// The columns of `evaluate bag_unpack` and `evaluate pivot` depend on the data. Compiling is then done in two steps:
// the first gives, beside the plan, a question for each such operator (a plan over the same input, run within the same
// boundary); the second is told what was found. Found columns are written into the text as an output schema before it
// is bound, so everything behind the operator sees them with their types.
//
//   compile ──questions──► run each ──schemaFound──► compile with the schemas ──► no questions left

/** One column that a plug-in gives. */
export interface PluginColumn {
  readonly name: string;
  readonly type: KqlType;
  /** The slot of the bag, or the value of the pivot column, that it shows; null for a column of the input. */
  readonly slot: string | null;
}

/** The columns of the operator that ends at a place of the text. */
export interface PluginSchema {
  readonly at: number;
  readonly columns: readonly PluginColumn[];
}

export type Conflict = 'error' | 'keep_source' | 'replace_source';

/** What has to be known of the data before the columns of one operator are known. */
export interface PluginQuestion {
  readonly plugin: 'bag_unpack' | 'pivot';
  /** Where the operator ends in the text of the user. */
  readonly at: number;
  readonly span: Span;
  /** Rows of slot and type for a bag, rows of values for a pivot; never more than `MOST_ANSWERS`. */
  readonly plan: Plan;
  /** Columns of the input that stay. */
  readonly kept: readonly { readonly name: string; readonly type: KqlType }[];
  readonly prefix: string;
  readonly conflict: Conflict;
  readonly ignored: readonly string[];
  /** The type of a cell of a pivot. */
  readonly cell: KqlType;
  /** Names that the query reads behind the operator and that nothing else explains. */
  readonly asked: readonly string[];
}

/** So many columns one operator may give. */
const MAX_COLUMNS = 500;
/** Rows that a question asks for: every column in some types. */
export const MAX_ANSWERS = MAX_COLUMNS * 4;

/** What the answer to a question comes to: the columns, or why there are none. */
export type SchemaFound =
  | { readonly ok: true; readonly schema: PluginSchema }
  | { readonly ok: false; readonly refusal: Diagnostic };

/**
 * The columns of an operator from the rows that its question gave. A name that the query asks for and the data does not
 * have becomes a column of nulls, so that a quiet hour does not break a saved query.
 */
export function schemaFound(question: PluginQuestion, rows: readonly (readonly unknown[])[]): SchemaFound {
  const { at, span, plugin } = question;
  const columns = plugin === 'pivot' ? pivotColumns(question, rows) : bagColumns(question, rows);
  if (typeof columns === 'string') return { ok: false, refusal: messages.pluginConflict(span, columns) };
  if (columns.length > MAX_COLUMNS || rows.length >= MAX_ANSWERS)
    return { ok: false, refusal: messages.pluginTooWide(span, plugin, MAX_COLUMNS) };
  return { ok: true, schema: { at, columns } };
}

function bagColumns(
  question: PluginQuestion,
  rows: readonly (readonly unknown[])[],
): PluginColumn[] | string {
  const { kept, prefix, conflict, ignored, asked } = question;
  const types = new Map<string, Set<KqlType>>();
  for (const [slot, kind] of rows) {
    const name = String(slot);
    if (ignored.includes(name)) continue;
    const seen = types.get(name) ?? new Set();
    types.set(name, seen);
    const type = typeOfKind(String(kind));
    if (type) seen.add(type);
  }
  const slots = [...types.keys()].sort(inOrder);
  const unpacked = slots.map((slot): PluginColumn => {
    const [only, ...more] = types.get(slot) ?? [];
    return { name: prefix + slot, type: only && more.length === 0 ? only : 'dynamic', slot };
  });
  const taken = new Set(kept.map((column) => column.name));
  const clash = unpacked.find((column) => taken.has(column.name));
  if (clash && conflict === 'error') return clash.name;
  const made = new Set(unpacked.map((column) => column.name));
  const source = kept.map(({ name, type }): PluginColumn => ({ name, type, slot: null }));
  const settled = unpacked.map((column) =>
    conflict === 'keep_source' ? (source.find((one) => one.name === column.name) ?? column) : column,
  );
  const late = asked.filter((name) => !taken.has(name) && !made.has(name));
  return [
    ...source.filter((column) => !made.has(column.name)),
    ...settled,
    ...late.map(
      (name): PluginColumn => ({
        name,
        type: 'dynamic',
        slot: name.startsWith(prefix) ? name.slice(prefix.length) : name,
      }),
    ),
  ];
}

function pivotColumns(
  { kept, cell, asked }: PluginQuestion,
  rows: readonly (readonly unknown[])[],
): PluginColumn[] {
  const taken = new Set(kept.map((column) => column.name));
  const free = (wanted: string): string => {
    let name = wanted;
    for (let count = 1; taken.has(name); count += 1) name = `${wanted}${count}`;
    taken.add(name);
    return name;
  };
  const values = rows.map(([value]) => String(value)).sort(inOrder);
  const cells = values.map(
    (value): PluginColumn => ({ name: free(value || 'Column1'), type: cell, slot: value }),
  );
  const late = asked.filter((name) => !taken.has(name));
  return [
    ...kept.map(({ name, type }): PluginColumn => ({ name, type, slot: null })),
    ...cells,
    ...late.map((name): PluginColumn => ({ name, type: cell, slot: name })),
  ];
}

/** Code points, as Kusto orders the columns it makes. */
const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The type of a column from what gettype() says of a value; null for nulls, which do not take part. */
function typeOfKind(kind: string): KqlType | null {
  switch (kind) {
    case 'null':
      return null;
    case 'int':
    case 'long':
      return 'long';
    case 'double':
    case 'real':
      return 'real';
    case 'bool':
    case 'string':
      return kind;
    default:
      return 'dynamic';
  }
}
