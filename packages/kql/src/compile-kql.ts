import { type Diagnostic, type Span, say } from '@tyrian/diagnostics';
import { type KqlType, type Plan, placeSingles } from '@tyrian/plan';
import { bindQuery } from './bind-query.ts';
import type { KqlSchema } from './event-schema.ts';
import { lowerExpression } from './expressions/lower-expression.ts';
import { filtersTime } from './filters-time.ts';
import { type Grammar, Lowering, QueryTooBig, type Table } from './lowering.ts';
import { messages } from './messages.ts';
import { lowerOperator } from './operators/lower-operator.ts';
import { lowerQuery } from './operators/lower-query.ts';
import { lowerTable } from './operators/lower-table.ts';
import { MAX_BY_PATTERN, MAX_SOURCES, sourcesByPattern } from './operators/most-sources.ts';
import { PluginColumns, withoutFalseAlarms, writeSchemas } from './plugins/plugin-columns.ts';
import type { PluginQuestion, PluginSchema } from './plugins/plugin-schema.ts';
import { isKind } from './syntax.ts';
import { textRefusal } from './text-bounds.ts';
import { type QueryReach, withNamedScopes } from './views/named-scopes.ts';
import { refusedSources } from './views/refused-sources.ts';
import { withFunctions } from './views/saved-function.ts';
import { schemaInReach } from './views/schema-in-reach.ts';

// KQL text to a plan: parse and bind (the language service), then lower. Every mistake and every refusal is a
// diagnostic; this never throws, whatever the text.
//
//   text ──bindQuery──► bound tree ──lowerQuery──► Plan ──(scopeToTenant, printQuery)──► SQL

export interface CompileOptions {
  readonly schema: KqlSchema;
  /** The moment that now() and ago() mean. */
  readonly now: Date;
  /** `warn` reads an unknown name as a field below Ext; `error` refuses it. */
  readonly unknownColumns: 'warn' | 'error';
  /** The columns of plug-ins that were found in the data, in answer to the questions of an earlier result. */
  readonly pluginSchemas?: readonly PluginSchema[];
  /** The caller can hold several tables (`fork`, `facet`); without it such queries are refused. */
  readonly several?: boolean;
  /** The places that workspace() and its kin may name; none when absent. */
  readonly reach?: QueryReach;
}

/** One of several tables that a query gives. */
export interface ResultTable {
  readonly name: string;
  readonly plan: Plan;
  readonly filtersTime: boolean;
}

export type CompileResult =
  | {
      readonly ok: true;
      readonly plan: Plan;
      readonly columns: readonly { readonly name: string; readonly type: KqlType }[];
      readonly diagnostics: readonly Diagnostic[];
      /** Whether the query itself limits TimeGenerated, so that a time picker has nothing to add. */
      readonly filtersTime: boolean;
      /**
       * What the data has to say before the columns are settled; see plugin-schema.ts. Until then plug-ins give what
       * the text alone tells of their columns.
       */
      readonly questions: readonly PluginQuestion[];
      /** All tables of a query that gives several, the first among them; empty for any other. */
      readonly tables: readonly ResultTable[];
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Where the two halves of the language, scalar and tabular, come to know each other. */
const GRAMMAR: Grammar = { expression: lowerExpression, table: lowerTable, operator: lowerOperator };

/** The longest text that is compiled, in UTF-16 units. */
export const LONGEST_QUERY = 64 * 1024;

/** Compiles one query. */
export function compileKql(text: string, options: CompileOptions): CompileResult {
  const whole: Span = { start: 0, end: text.length };
  if (text.length > LONGEST_QUERY) return failed([messages.tooLong(whole, LONGEST_QUERY)]);
  if (text.trim() === '') return failed([messages.empty(whole)]);
  try {
    const refusal = textRefusal(text);
    return refusal ? failed([refusal]) : compile(text, options, whole);
  } catch (error) {
    if (error instanceof QueryTooBig) return failed([messages.tooBig(whole)]);
    if (error instanceof RangeError) return failed([messages.tooDeep(whole)]);
    return failed([messages.ours(whole, error instanceof Error ? error.message : String(error))]);
  }
}

const failed = (diagnostics: readonly Diagnostic[]): CompileResult => ({ ok: false, diagnostics });

function compile(text: string, options: CompileOptions, whole: Span): CompileResult {
  const written = writeSchemas(text, options.pluginSchemas ?? []);
  const full = withFunctions(written.text, options.schema.functions);
  if (full.refusals.length > 0) return failed(full.refusals);
  const placed = withNamedScopes(full.text, options.schema, options.reach);
  const original = (span: Span): Span =>
    clipped(written.original(full.original(placed.original(span))), whole);
  if (placed.refusals.length > 0) return failed(placed.refusals.map((one) => full.told(one, original)));
  const named = sourcesByPattern(placed.text, placed.schema);
  if (named > MAX_BY_PATTERN) return failed([messages.tooManySources(whole, named, MAX_BY_PATTERN)]);
  const schema = schemaInReach(placed.text, placed.schema);
  const bound = bindQuery(placed.text, schema, options.unknownColumns);
  const found = withoutFalseAlarms(bound).map((one) => full.told(one, original, placed.original));
  const place = (span: Span): Span => original(bound.original(span));
  const inFull = (span: Span): Span => placed.original(bound.original(span));
  const refused = refusedSources(bound.code.Syntax).map((one) => full.told(one, place, inFull));
  if (refused.length > 0) return failed(refused);
  if (found.some((one) => one.severity === 'error')) return failed(found);
  const block = bound.code.Syntax;
  if (!isKind(block, 'QueryBlock')) return failed([messages.statement(whole, say('aCommand'))]);
  const plugins = new PluginColumns(text, place, options.pluginSchemas ?? []);
  const lowering = new Lowering(options.now, schema.tables, GRAMMAR, plugins, options.several);
  const table = lowerQuery(block, lowering);
  if (lowering.sources > MAX_SOURCES)
    lowering.refuse(messages.tooManySources(whole, lowering.sources, MAX_SOURCES));
  const ours = lowering.diagnostics.map((one) => full.told(one, place, inFull));
  const diagnostics = [...found, ...ours];
  if (!table) return failed([...diagnostics, messages.noResult(whole)]);
  if (diagnostics.some((one) => one.severity === 'error')) return failed(diagnostics);
  const plan = planOf(table, lowering);
  return {
    ok: true,
    plan,
    columns: plan.columns.map(({ name, type }) => ({ name, type })),
    diagnostics,
    filtersTime: filtersTime(plan),
    questions: plugins.questions,
    tables: lowering.beside.map(({ name, table: one }): ResultTable => {
      const own = planOf(one, lowering);
      return { name, plan: own, filtersTime: filtersTime(own) };
    }),
  };
}

const planOf = (table: Table, lowering: Lowering): Plan =>
  placeSingles({
    root: table.node,
    columns: table.columns.map(({ name, id, type }) => ({ name, id, type })),
    nextId: lowering.nextId,
    ...(lowering.render ? { render: lowering.render } : {}),
  });

const clipped = (span: Span, whole: Span): Span => ({
  start: Math.max(0, Math.min(span.start, whole.end)),
  end: Math.max(0, Math.min(span.end, whole.end)),
});
