import { type Diagnostic, oneOf, type Span, say } from '@tyrian/diagnostics';
import type { KqlSchema } from '../event-schema.ts';
import { kusto } from '../kusto.ts';
import { messages } from '../messages.ts';
import { argumentsOf, boundValue, child, isKind, nameOf, type Syntax, spanOf, within } from '../syntax.ts';
import type { TableSource } from '../table-source.ts';
import { applyEdits, placeBefore, type TextEdit } from '../text-edits.ts';
import { uploadSource } from './catalog-tables.ts';
import { functionSymbols } from './function-symbols.ts';
import { globalsOf } from './table-symbols.ts';

// `workspace("B").SecurityEvent` reads a table in another scope of the tenant, when the user may search there; so do
// app(), database() and cluster().database(). The text is rewritten to a table of its own, whose scans carry that
// scope. A name that is out of reach and a name that does not exist are refused in the same words.

/** The scopes that the queries of a user may name. */
export interface QueryReach {
  /** Id and name of the tenant that is open. */
  readonly tenant: readonly string[];
  /** The scopes of the tenant in which the user may search. */
  readonly scopes: readonly { readonly id: string; readonly name: string }[];
}

interface RewrittenText {
  readonly text: string;
  readonly schema: KqlSchema;
  readonly original: (span: Span) => Span;
  readonly refusals: readonly Diagnostic[];
}

const NAMES_SCOPE = /\b(?:workspace|app|cluster|database)\s*\(/;

/** Writes tables of their own for what the text reads in named scopes. */
export function withNamedScopes(
  text: string,
  schema: KqlSchema,
  reach: QueryReach | undefined,
): RewrittenText {
  const unchanged = { text, schema, original: (span: Span) => span, refusals: [] };
  if (!reach || !NAMES_SCOPE.test(text)) return unchanged;
  const edits: TextEdit[] = [];
  const refusals: Diagnostic[] = [];
  const tables = new Map<string, TableSource>();
  for (const path of outermostPaths(kusto.KustoCode.ParseAndAnalyze(text, schema.globals).Syntax)) {
    const scope = scopeOf(path, reach);
    if (scope === null) continue;
    const selector = child(path, 'Selector');
    const name = isKind(selector, 'NameReference') ? nameOf(selector) : '';
    const table = typeof scope === 'object' ? tableIn(scope.id, name, schema) : undefined;
    if (typeof scope !== 'object' || !table) {
      refusals.push(refusal(path, typeof scope === 'object', reach));
      continue;
    }
    const own = { ...table, name: `${scope.name}.${name}`, scope: scope.id };
    tables.set(own.name, own);
    edits.push({ ...spanOf(path), text: `['${own.name.replace(/['\\]/g, '\\$&')}']` });
  }
  if (refusals.length > 0) return { ...unchanged, refusals };
  if (edits.length === 0) return unchanged;
  edits.sort((one, other) => one.start - other.start);
  const all = new Map([...schema.tables, ...tables]);
  const globals = globalsOf(all.values(), functionSymbols(schema.functions));
  return {
    text: applyEdits(text, edits),
    schema: { ...schema, tables: all, globals },
    original: (span) => placeBefore(span, edits),
    refusals: [],
  };
}

/** A table of this name in a scope: uploaded ones belong to one each. */
function tableIn(scope: string, name: string, { tables, catalog }: KqlSchema): TableSource | undefined {
  const table = tables.get(name);
  if (table && !table.upload) return table;
  const upload = [...catalog.tables, ...catalog.elsewhere].find(
    (one) => one.name === name && one.scope === scope,
  );
  return upload && uploadSource(upload);
}

function refusal(path: Path, isTable: boolean, { scopes }: QueryReach): Diagnostic {
  const call = firstCall(path);
  const known = scopes.map(({ name }) => `"${name}"`).slice(0, 5);
  return messages.refusedSource(
    spanOf(path),
    call ? nameOf(child(call, 'Name')) : 'workspace',
    isTable
      ? { why: say('tableBehindPlace'), wayOut: say('nameStream') }
      : { why: say('noSuchScope'), wayOut: say('nameScope', { names: oneOf(known) }) },
  );
}

type Path = Syntax<'PathExpression'>;
type Call = Syntax<'FunctionCallExpression'>;

/** Paths that are no part of another path. */
function outermostPaths(root: Syntax): Path[] {
  const isScopePath = (node: Syntax): node is Path =>
    isKind(node, 'PathExpression') && isScopeCall(firstCall(node));
  return [...within(root, (node) => !isScopePath(node))].filter(isScopePath);
}

/** The call that a path begins with. */
function firstCall(path: Path): Call | null {
  let node: Syntax = path;
  while (isKind(node, 'PathExpression')) node = child(node, 'Expression');
  return isKind(node, 'FunctionCallExpression') ? node : null;
}

const PLACE_CALLS = new Set(['workspace', 'app', 'cluster', 'database']);
const isScopeCall = (call: Call | null): boolean =>
  call !== null && PLACE_CALLS.has(nameOf(child(call, 'Name')));

/** The scope that a path names; `unknown` when it is none that the user may search; null for no scope at all. */
function scopeOf(path: Path, reach: QueryReach): { id: string; name: string } | 'unknown' | null {
  const parts: Syntax[] = [];
  let node = child(path, 'Expression');
  for (; isKind(node, 'PathExpression'); node = child(node, 'Expression'))
    parts.unshift(child(node, 'Selector'));
  parts.unshift(node);
  const named = parts.map((part) =>
    isKind(part, 'FunctionCallExpression')
      ? { call: nameOf(child(part, 'Name')), given: literalOf(part) }
      : { call: '', given: null },
  );
  const [first, second, ...more] = named;
  if (!first || !PLACE_CALLS.has(first.call)) return null;
  const isTenant = (text: string | null): boolean =>
    text !== null && reach.tenant.some((name) => name.toLowerCase() === text.toLowerCase());
  if (first.call === 'cluster' && !isTenant(first.given)) return 'unknown';
  const database = first.call === 'cluster' ? second : first;
  if (more.length > 0 || (first.call !== 'cluster' && second)) return 'unknown';
  const given = database?.given?.toLowerCase();
  if (given === undefined || (first.call === 'cluster' && database?.call !== 'database')) return 'unknown';
  return (
    reach.scopes.find(({ id }) => id.toLowerCase() === given) ??
    reach.scopes.find(({ name }) => name.toLowerCase() === given) ??
    'unknown'
  );
}

function literalOf(call: Call): string | null {
  const [only, ...more] = argumentsOf(call);
  const value = only && boundValue(only);
  return typeof value === 'string' && more.length === 0 ? value : null;
}
