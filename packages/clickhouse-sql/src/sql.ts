// SQL as a tree. Its text comes only from template literals of this package; what a query says enters as a parameter.
// print-query.ts alone turns the tree into text.

/** A piece of SQL: our own text around further pieces. */
export interface SqlText {
  readonly kind: 'text';
  readonly parts: readonly string[];
  readonly values: readonly Sql[];
}

/** A value that travels beside the text as `{p0:type}`. */
export interface SqlParameter {
  readonly kind: 'parameter';
  /** ClickHouse type, e.g. `Array(String)`. */
  readonly type: string;
  readonly value: ParameterValue;
}

export type ParameterValue = boolean | number | string | readonly (boolean | number | string | null)[];

/** A name of a stored column, a database or a path, printed in backticks. */
export interface SqlName {
  readonly kind: 'name';
  readonly path: readonly string[];
}

/** A column of the select below, printed as `c<id>`. */
export interface SqlColumn {
  readonly kind: 'column';
  readonly id: number;
}

/** A whole select in brackets. */
export interface SqlSubselect {
  readonly kind: 'subselect';
  readonly select: Select;
}

export type Sql = SqlText | SqlParameter | SqlName | SqlColumn | SqlSubselect;

export interface SelectItem {
  readonly alias: string;
  readonly sql: Sql;
}

export interface OrderItem {
  readonly sql: Sql;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export type Source =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'table'; readonly name: SqlName }
  | { readonly kind: 'function'; readonly call: Sql }
  /** A table that stands before the query and is computed once. */
  | { readonly kind: 'shared'; readonly key: number }
  | { readonly kind: 'select'; readonly select: Select }
  | { readonly kind: 'union'; readonly selects: readonly Select[] }
  | {
      readonly kind: 'join';
      readonly words: Sql;
      readonly left: Select;
      readonly right: Select;
      readonly on: readonly Sql[];
    };

export interface Select {
  readonly items: readonly SelectItem[];
  readonly source: Source;
  readonly arrayJoin: readonly SelectItem[];
  readonly where: readonly Sql[];
  readonly groupBy: readonly Sql[];
  readonly orderBy: readonly OrderItem[];
  readonly limitBy: readonly Sql[];
  readonly limit: number | null;
}

/** A query and the tables that it reads several times, each after those that it reads itself. */
export interface WholeQuery {
  readonly shared: readonly { readonly key: number; readonly select: Select }[];
  readonly select: Select;
}

/** Builds a piece of SQL: `` sql`length(${x})` ``. */
export function sql(parts: TemplateStringsArray, ...values: readonly Sql[]): SqlText {
  return { kind: 'text', parts, values };
}

/** Text that this package has made up, such as a name or a number; never of a query. */
export const ownText = (text: string | number): SqlText => ({
  kind: 'text',
  parts: [String(text)],
  values: [],
});

/** Pieces joined by commas. */
export function commaList(values: readonly Sql[]): SqlText {
  if (values.length === 0) return sql``;
  return { kind: 'text', parts: ['', ...values.slice(1).map(() => ', '), ''], values };
}

/** Pieces joined by a word of ours, in brackets. */
export function joined(values: readonly Sql[], word: ' AND ' | ' OR '): SqlText {
  return { kind: 'text', parts: ['(', ...values.slice(1).map(() => word), ')'], values };
}

export const parameter = (type: string, value: ParameterValue): SqlParameter => ({
  kind: 'parameter',
  type,
  value,
});

/** Whole numbers of 64 bits as an array parameter; they travel as text, because a JSON number would round them. */
export const wholeNumbers = (type: string, values: readonly (number | string | null)[]): SqlParameter =>
  parameter(type, `[${values.map((value) => value ?? 'NULL').join(',')}]`);

export const textParameter = (value: string): SqlParameter => parameter('String', value);

export const name = (...path: readonly string[]): SqlName => ({ kind: 'name', path });
