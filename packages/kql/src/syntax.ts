import type { KqlType } from '@tyrian/catalog';
import type { Span } from '@tyrian/diagnostics';
import {
  type KustoColumn,
  type KustoElement,
  type KustoList,
  type KustoType,
  kustoItems,
  kustoKind,
  type SyntaxKind,
} from './kusto.ts';
import type { KustoShapes } from './kusto-shapes.ts';

// Reading the syntax tree of the language service: children by the name of their property, lists without their
// separators, types as KQL types. A name is checked twice: by the compiler against the kinds that a node may be of
// (kusto-shapes.ts), and when it is read. A child that must be there and is not throws, so that no part of a query ever
// silently becomes nothing.

export type { SyntaxKind } from './kusto.ts';

export type Syntax<K extends SyntaxKind = SyntaxKind> = KustoElement<K>;

/** How the table writes a child of these kinds; of several kinds only what all of them have. */
type Written<K extends SyntaxKind, Name> = Name extends keyof KustoShapes[K] ? KustoShapes[K][Name] : never;

type List = `${string}*`;
type Optional = `${string}?`;

type NameOf<K extends SyntaxKind, Wanted, Unwanted> = {
  [Name in keyof KustoShapes[K]]: [Extract<Written<K, Name>, Unwanted>] extends [never]
    ? Written<K, Name> extends Wanted
      ? Name
      : never
    : never;
}[keyof KustoShapes[K]] &
  string;

/** Names of children that are always there. */
export type ChildName<K extends SyntaxKind> = NameOf<K, string, List | Optional>;
export type OptionalChildName<K extends SyntaxKind> = NameOf<K, Optional, List | `${string}*?`>;
export type ListName<K extends SyntaxKind> = NameOf<K, List, Optional>;
type OptionalListName<K extends SyntaxKind> = NameOf<K, `${string}*?`, never>;
type WordName<K extends SyntaxKind> = NameOf<K, 'SyntaxToken', never>;
type OptionalWordName<K extends SyntaxKind> = NameOf<K, 'SyntaxToken?', never>;

type Unmarked<T> = T extends `${infer Kind}?` ? Unmarked<Kind> : T extends `${infer Kind}*` ? Kind : T;
/** A kind of the table; any node where the library names a family of kinds, such as `Expression`. */
type NodeOf<T> = [Exclude<Unmarked<T>, SyntaxKind>] extends [never]
  ? Syntax<Extract<Unmarked<T>, SyntaxKind>>
  : Syntax;

/** The kinds that have such a child. */
export type KindWith<Name extends string, Wanted = unknown> = {
  [K in SyntaxKind]: KustoShapes[K] extends { readonly [N in Name]: Wanted } ? K : never;
}[SyntaxKind];

export const kindOf = (node: Syntax): string => kustoKind(node);

/** Whether a node is of one of these kinds; the names of its children are known then. */
export function isKind<K extends SyntaxKind>(
  node: Syntax | null | undefined,
  ...kinds: readonly K[]
): node is Syntax<K> {
  return node != null && (kinds as readonly string[]).includes(kustoKind(node));
}

/** A node that can only be of these kinds. Throws when it is of another: the grammar is not what we took it for. */
export function asKind<K extends SyntaxKind>(node: Syntax, ...kinds: readonly K[]): Syntax<K> {
  if (isKind(node, ...kinds)) return node;
  throw new Error(`${kinds.join(' or ')} is expected where Kusto's tree has ${kustoKind(node)}`);
}

export const spanOf = (node: Syntax): Span => ({ start: node.TextStart, end: node.End });

/** What a property holds. Throws where nodes of this kind have none of this name. */
function held(node: Syntax, property: string): unknown {
  const value = (node as unknown as Readonly<Record<string, unknown>>)[property];
  if (value === undefined) throw new Error(`${kustoKind(node)} of Kusto's tree has no child ${property}`);
  return value;
}

/** A child that every node of this kind has. Throws when it is missing. */
export function child<K extends SyntaxKind, Name extends ChildName<K>>(
  node: Syntax<K>,
  property: Name,
): NodeOf<Written<K, Name>> {
  const value = held(node, property);
  if (value === null) throw new Error(`${property} is missing in ${kustoKind(node)} of Kusto's tree`);
  return value as NodeOf<Written<K, Name>>;
}

/** A child that nodes of this kind may have; null when it is absent. */
export function optionalChild<K extends SyntaxKind, Name extends OptionalChildName<K>>(
  node: Syntax<K>,
  property: Name,
): NodeOf<Written<K, Name>> | null {
  return held(node, property) as NodeOf<Written<K, Name>> | null;
}

/** The elements of a list, without separators. Throws when the list is missing; an empty one is there. */
export function children<K extends SyntaxKind, Name extends ListName<K>>(
  node: Syntax<K>,
  property: Name,
): NodeOf<Written<K, Name>>[] {
  const value = held(node, property);
  if (value === null) throw new Error(`${property} is missing in ${kustoKind(node)} of Kusto's tree`);
  return elementsOf(value) as NodeOf<Written<K, Name>>[];
}

/** The elements of a list that nodes of this kind may have; none when it is absent. */
export function optionalChildren<K extends SyntaxKind, Name extends OptionalListName<K>>(
  node: Syntax<K>,
  property: Name,
): NodeOf<Written<K, Name>>[] {
  const value = held(node, property);
  return (value === null ? [] : elementsOf(value)) as NodeOf<Written<K, Name>>[];
}

const elementsOf = (list: unknown): Syntax[] =>
  kustoItems(list as KustoList<Syntax>).map((item) =>
    isKind(item, 'SeparatedElement') ? child(item, 'Element') : item,
  );

/** The text of a word that every node of this kind has. */
export const wordOf = <K extends SyntaxKind>(node: Syntax<K>, property: WordName<K>): string =>
  textOf(held(node, property) as Syntax);

/** The text of a word that nodes of this kind may have; '' when it is absent. */
export function optionalWordOf<K extends SyntaxKind>(node: Syntax<K>, property: OptionalWordName<K>): string {
  const found = held(node, property) as Syntax | null;
  return found ? textOf(found) : '';
}

/** What stands in the text, with the comments before it. */
export const writtenText = (node: Syntax): string =>
  String((node as unknown as { toString(): string }).toString()).trim();

/** The text of a token, or of a name. */
export function textOf(node: Syntax): string {
  return node.Text ?? node.SimpleName ?? writtenText(node);
}

/** The name that a name node stands for, brackets and quotes taken off; '' for any other node. */
export const nameOf = (node: Syntax | null): string => node?.SimpleName ?? '';

/** The value of a literal, or of an expression that the binder knows the value of. */
export const boundValue = (node: Syntax): unknown => node.LiteralValue ?? node.ConstantValue;

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
export const boundType = (node: Syntax): KqlType | null => kqlTypeOf(node.ResultType);

export const isTabular = (node: Syntax): boolean => node.ResultType?.IsTabular === true;

export interface BoundColumn {
  readonly name: string;
  readonly type: KqlType | null;
}

/** Columns that the binder gives an operator and the language does not. */
const phantoms = new WeakSet<object>();

/** Forgets the last column of a tabular expression, here and in whatever reads it. */
export function forgetLastColumn(node: Syntax): void {
  const last = kustoItems(node.ResultType?.Columns).at(-1);
  if (last) phantoms.add(last);
}

/** Forgets columns that the binder made of an expression of an operator, here and in whatever reads them. */
export function forgetColumns(node: Syntax, names: ReadonlySet<string>): void {
  for (const column of kustoItems(node.ResultType?.Columns)) if (names.has(column.Name)) phantoms.add(column);
}

/** The columns that the binder gave a tabular expression. */
export function boundColumns(node: Syntax): BoundColumn[] {
  const type = node.ResultType;
  return kustoItems(type?.Columns).flatMap((column) =>
    phantoms.has(column) ? [] : [{ name: column.Name, type: kqlTypeOf(column.Type) }],
  );
}

/** The column that the binder made of an expression of an operator; null when it made none, or another replaced it. */
export function columnMadeOf(node: Syntax, expression: Syntax): BoundColumn | null {
  const type = node.ResultType;
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

type NodeWithParameters = Syntax<KindWith<'Parameters', 'NamedParameter*'>>;

/** Named parameters such as `kind=inner` by name, in lower case. */
export const parametersOf = (node: NodeWithParameters): Map<string, Syntax> =>
  namedValues(children(node, 'Parameters'));

/** Values by name, in lower case. */
const namedValues = (all: readonly Syntax<'NamedParameter'>[]): Map<string, Syntax> =>
  new Map(all.map((one) => [nameOf(child(one, 'Name')).toLowerCase(), child(one, 'Expression')]));

/** The value of a named parameter that is a word, bare or in quotes; null without one. */
export function wordOfParameter(node: NodeWithParameters, name: string): string | null {
  const given = parametersOf(node).get(name);
  return given ? (nameOf(given) || textOf(given)).replace(/['"]/g, '') : null;
}

/** What `Net*` or `*` asks for; null for any other expression. */
export function wildcardOf(node: Syntax): RegExp | null {
  if (isKind(node, 'StarExpression')) return /.*/;
  const name = isKind(node, 'NameReference') ? child(node, 'Name') : null;
  if (!isKind(name, 'WildcardedName', 'BracketedWildcardedName')) return null;
  const quoted = textOf(name).replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${quoted.replaceAll('*', '.*')}$`);
}

/** The arguments of a call. */
export const argumentsOf = (node: Syntax<'FunctionCallExpression'>): Syntax[] =>
  children(child(node, 'ArgumentList'), 'Expressions');
