import type { KqlType } from '@tyrian/catalog';
import type { Span } from '@tyrian/diagnostics';
import {
  type KustoColumn,
  type KustoElement,
  type KustoList,
  type KustoType,
  kustoItems,
  kustoKind,
} from './kusto.ts';

// Reading the syntax tree of the language service: children by the name of their property, lists without their
// separators, types as KQL types.

export type Syntax = KustoElement;

export const kindOf = (node: Syntax): string => kustoKind(node);

export const spanOf = (node: Syntax): Span => ({ start: node.TextStart, end: node.End });

/** The child under a property; null when it is absent or not a node. */
export function child(node: Syntax, property: string): Syntax | null {
  const value = node[property];
  return typeof value === 'object' && value !== null ? (value as Syntax) : null;
}

/** The elements of a list under a property, without separators. */
export function children(node: Syntax, property: string): Syntax[] {
  const value = node[property];
  if (typeof value !== 'object' || value === null || !('Count' in value)) return [];
  return kustoItems(value as KustoList<Syntax>).flatMap((item) => {
    const element = 'Element' in item ? child(item, 'Element') : item;
    return element ? [element] : [];
  });
}

/** The text of a token or node under a property; '' when absent. */
export function wordOf(node: Syntax, property: string): string {
  const found = child(node, property);
  return found ? textOf(found) : '';
}

/** The text of a token, or of a name. */
export function textOf(node: Syntax): string {
  const text = node.Text;
  if (typeof text === 'string') return text;
  const simple = node.SimpleName;
  if (typeof simple === 'string') return simple;
  return String((node as unknown as { toString(): string }).toString()).trim();
}

/** The name that a name node stands for, brackets and quotes taken off. */
export function nameOf(node: Syntax | null): string {
  const simple = node?.SimpleName;
  return typeof simple === 'string' ? simple : '';
}

const TYPES = new Set<string>([
  'bool',
  'int',
  'long',
  'real',
  'decimal',
  'string',
  'datetime',
  'timespan',
  'guid',
  'dynamic',
]);

/** The KQL type of a name of the language service; null for `unknown`, tables and the rest. */
export function kqlTypeOf(type: KustoType | null | undefined): KqlType | null {
  const name = type?.Name ?? '';
  if (TYPES.has(name)) return name as KqlType;
  return name.startsWith('dynamic') ? 'dynamic' : null;
}

/** The type that the binder gave an expression. */
export const boundType = (node: Syntax): KqlType | null =>
  kqlTypeOf(node.ResultType as KustoType | null | undefined);

export const isTabular = (node: Syntax): boolean =>
  (node.ResultType as KustoType | null | undefined)?.IsTabular === true;

export interface BoundColumn {
  readonly name: string;
  readonly type: KqlType | null;
}

/** Columns that the binder gives an operator and the language does not. */
const phantoms = new WeakSet<object>();

/** Forgets the last column of a tabular expression, here and in whatever reads it. */
export function forgetLastColumn(node: Syntax): void {
  const last = kustoItems((node.ResultType as KustoType | null | undefined)?.Columns).at(-1);
  if (last) phantoms.add(last);
}

/** Forgets columns that the binder made of an expression of an operator, here and in whatever reads them. */
export function forgetColumns(node: Syntax, names: ReadonlySet<string>): void {
  for (const column of kustoItems((node.ResultType as KustoType | null | undefined)?.Columns))
    if (names.has(column.Name)) phantoms.add(column);
}

/** The columns that the binder gave a tabular expression. */
export function boundColumns(node: Syntax): BoundColumn[] {
  const type = node.ResultType as KustoType | null | undefined;
  return kustoItems(type?.Columns).flatMap((column) =>
    phantoms.has(column) ? [] : [{ name: column.Name, type: kqlTypeOf(column.Type) }],
  );
}

/** The column that the binder made of an expression of an operator; null when it made none, or another replaced it. */
export function columnMadeOf(node: Syntax, expression: Syntax): BoundColumn | null {
  const type = node.ResultType as KustoType | null | undefined;
  const made = kustoItems(type?.Columns).find((column) => isMadeOf(column, expression));
  return made ? { name: made.Name, type: kqlTypeOf(made.Type) } : null;
}

/** A column that had to change its name for another points at the one that it was made as. */
function isMadeOf(column: KustoColumn, expression: Syntax): boolean {
  if (column.Source) return column.Source === expression;
  const before = column.OriginalColumns ?? [];
  return before.length === 1 && before.some((one) => one !== column && one.Source === expression);
}

/**
 * A node and all that stands in it, each before its parts, in the order of the text. Parts of a node for which `into`
 * says no are left out.
 */
export function* within(root: Syntax, into: (node: Syntax) => boolean = () => true): Generator<Syntax> {
  const pending: Syntax[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    yield node;
    if (!into(node)) continue;
    for (let index = node.ChildCount - 1; index >= 0; index--) {
      const below = node.GetChild(index);
      if (below) pending.push(below);
    }
  }
}

/** Named parameters such as `kind=inner` by name, in lower case. */
export function parametersOf(node: Syntax): Map<string, Syntax> {
  const found = new Map<string, Syntax>();
  for (const parameter of children(node, 'Parameters')) {
    const value = child(parameter, 'Expression');
    if (value) found.set(nameOf(child(parameter, 'Name')).toLowerCase(), value);
  }
  return found;
}

/** The value of a named parameter that is a word, bare or in quotes; null without one. */
export function wordOfParameter(node: Syntax, name: string): string | null {
  const given = parametersOf(node).get(name);
  return given ? (nameOf(given) || textOf(given)).replace(/['"]/g, '') : null;
}

/** What `Net*` or `*` asks for; null for any other expression. */
export function wildcardOf(node: Syntax): RegExp | null {
  const name = child(node, 'Name');
  if (kindOf(node) === 'StarExpression') return /.*/;
  if (!name || !/Wildcarded/.test(kindOf(name))) return null;
  const quoted = textOf(name).replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${quoted.replaceAll('*', '.*')}$`);
}

/** The arguments of a call. */
export function argumentsOf(node: Syntax): Syntax[] {
  const list = child(node, 'ArgumentList');
  return list ? children(list, 'Expressions') : [];
}
