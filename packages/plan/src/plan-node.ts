import type { KqlType } from '@tyrian/catalog';

// The plan as data: sixteen kinds of relational node, and the scalar expressions in them, which hold whole plans in
// their turn (subqueries). Columns are named by id, never by text, so no pass can confuse two columns that share a
// name. There is no node for renaming, reordering or dropping columns: those end in the binder, and the root of a plan
// lists what the user sees. Every expression knows its KQL type; values are JSON, so a plan can be printed and compared.

export type { KqlType };

/** Identity of a column inside one plan. */
export type ColumnId = number;

/**
 * Value of a constant. `null` is the null of its type. `long`, `decimal` and `guid` travel as text,
 * `datetime` as text of 100 ns ticks since 1970, `timespan` as text of ticks, `dynamic` as JSON text,
 * `real` as a number or one of the texts `NaN`, `Infinity`, `-Infinity`.
 */
export type ConstantValue = null | boolean | number | string;

export interface Constant {
  readonly kind: 'constant';
  readonly type: KqlType;
  readonly value: ConstantValue;
}

export interface ColumnReference {
  readonly kind: 'column';
  readonly type: KqlType;
  readonly id: ColumnId;
}

/** A call of a function or operator of the registry, by its id. */
export interface Call {
  readonly kind: 'call';
  readonly type: KqlType;
  readonly fn: string;
  readonly args: readonly Scalar[];
}

/** The first value of `column` in the result of `plan`: `toscalar()`. */
export interface ScalarSubquery {
  readonly kind: 'subquery';
  readonly type: KqlType;
  readonly plan: PlanNode;
  readonly column: ColumnId;
}

/** Whether `needle` is among the values of `column` in the result of `plan`. */
export interface InSubquery {
  readonly kind: 'in-subquery';
  readonly type: 'bool';
  readonly needle: Scalar;
  readonly plan: PlanNode;
  readonly column: ColumnId;
}

export type Scalar = Constant | ColumnReference | Call | ScalarSubquery | InSubquery;

export interface PlanColumn {
  readonly id: ColumnId;
  readonly type: KqlType;
}

/** Where a column of a scan comes from: a stored column, or a path below a stored dynamic column. */
export type ScanSource =
  | { readonly kind: 'column'; readonly name: string }
  | {
      readonly kind: 'path';
      readonly name: string;
      readonly path: readonly string[];
      /** Nothing is below the path in any event that is read: what stands there is a value or nothing. */
      readonly isLeaf?: boolean;
      /** The same, and each value that stands there is a text. */
      readonly isText?: boolean;
    };

export interface ScanColumn extends PlanColumn {
  readonly source: ScanSource;
}

/** Half-open range in milliseconds since 1970. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** What ties a scan to one tenant. Only the pass `scopeToTenant` writes it. */
export interface ScanBoundary {
  readonly database: string;
  readonly scopes: readonly string[];
  readonly timeRange?: TimeRange;
  readonly ingestRange?: TimeRange;
}

/** A stored table: one stream, or every stream when `stream` is null. */
export interface Scan {
  readonly kind: 'scan';
  readonly stream: string | null;
  readonly columns: readonly ScanColumn[];
  /** The one scope that the query names for this table; it counts only within the reach of the boundary. */
  readonly scope?: string;
  readonly boundary?: ScanBoundary;
}

/** A column of an uploaded table: a cell of each row by its place, from 1, as the text that was uploaded. */
export interface StoreColumn extends PlanColumn {
  readonly type: 'string';
  readonly cell: number;
}

/** An uploaded table (eventstore) of the tenant: rows that belong to scopes, and to no time. */
export interface StoreScan {
  readonly kind: 'store-scan';
  /** Which table, by its id; its rows are those of these uploads. */
  readonly store: string;
  readonly uploads: readonly string[];
  readonly columns: readonly StoreColumn[];
  /** The scope that the table belongs to; it counts only within the reach of the boundary. */
  readonly scope: string;
  /** Without ranges of time. */
  readonly boundary?: ScanBoundary;
}

/** Rows written in the query itself (`datatable`, `print`). `ordinal` numbers the rows from 0. */
export interface Values {
  readonly kind: 'values';
  readonly columns: readonly PlanColumn[];
  readonly rows: readonly (readonly ConstantValue[])[];
  readonly ordinal: ColumnId;
}

/** `range x from a to b step c`. */
export interface Range {
  readonly kind: 'range';
  readonly column: PlanColumn;
  readonly from: Scalar;
  readonly to: Scalar;
  readonly step: Scalar;
}

export interface Filter {
  readonly kind: 'filter';
  readonly input: PlanNode;
  readonly predicate: Scalar;
}

export interface ComputeItem {
  readonly id: ColumnId;
  readonly expression: Scalar;
}

/** Adds columns; every expression sees the input only. */
export interface Compute {
  readonly kind: 'compute';
  readonly input: PlanNode;
  readonly items: readonly ComputeItem[];
}

export interface AggregateItem extends PlanColumn {
  readonly fn: string;
  readonly args: readonly Scalar[];
}

/** Groups; without keys it gives exactly one row. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly input: PlanNode;
  readonly keys: readonly ComputeItem[];
  readonly items: readonly AggregateItem[];
}

export interface SortKey {
  readonly expression: Scalar;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface Sort {
  readonly kind: 'sort';
  readonly input: PlanNode;
  readonly keys: readonly SortKey[];
}

export interface Limit {
  readonly kind: 'limit';
  readonly input: PlanNode;
  readonly count: number;
}

/** Keeps one row for each value of the keys. */
export interface UniqueBy {
  readonly kind: 'unique-by';
  readonly input: PlanNode;
  readonly keys: readonly Scalar[];
}

export type JoinKind =
  | 'inner'
  | 'leftouter'
  | 'rightouter'
  | 'fullouter'
  | 'leftsemi'
  | 'leftanti'
  | 'rightsemi'
  | 'rightanti';

/** Two nulls are equal, as they are in a group. */
export interface JoinKey {
  readonly left: Scalar;
  readonly right: Scalar;
}

/** Outputs the columns of both sides under their ids; semi and anti joins output one side. */
export interface Join {
  readonly kind: 'join';
  readonly join: JoinKind;
  readonly left: PlanNode;
  readonly right: PlanNode;
  readonly keys: readonly JoinKey[];
}

/** All rows of all branches. `columns[i]` of branch `b` is `branches[b].columns[i]`. */
export interface Union {
  readonly kind: 'union';
  readonly columns: readonly PlanColumn[];
  readonly branches: readonly UnionBranch[];
}

export interface UnionBranch {
  readonly input: PlanNode;
  readonly columns: readonly Scalar[];
}

export interface ExpandItem {
  /** The array or bag that is taken apart. */
  readonly source: Scalar;
  /** The element. */
  readonly id: ColumnId;
  readonly type: KqlType;
}

/** One row for each element; several arrays run in parallel, the shorter filled with null. */
export interface Expand {
  readonly kind: 'expand';
  readonly input: PlanNode;
  readonly items: readonly ExpandItem[];
  readonly bagAsArray: boolean;
  /** Receives the index of the element, from 0. */
  readonly index: PlanColumn;
  readonly rowLimit: number | null;
  /** A row without elements stays, with nulls and the index -1. */
  readonly keepEmpty?: boolean;
}

export interface WindowItem extends PlanColumn {
  readonly fn: string;
  readonly args: readonly Scalar[];
}

/** Functions over the rows in their present order: `row_number`, `prev`, `next`, `row_cumsum` ... */
export interface Window {
  readonly kind: 'window';
  readonly input: PlanNode;
  /** The functions begin anew for each value of these. */
  readonly partition?: readonly Scalar[];
  readonly items: readonly WindowItem[];
}

/** A step of `scan`. Its expressions read the row, and through kept columns the state that the row is held against. */
export interface MatchStep {
  /** Which of the rows that match come out; `last`: the last of those that follow each other. */
  readonly output: 'all' | 'last' | 'none';
  readonly condition: Scalar;
  /** Declared columns by their id; those that are not here take their value at rest. */
  readonly assignments: readonly ComputeItem[];
}

/** A column that reads what a step keeps of the row that it matched last: a column of the input, or a declared one. */
export interface KeptColumn extends PlanColumn {
  /** The place of the step. */
  readonly step: number;
  readonly source: ColumnId;
}

/** Rows in their present order run through steps; each comes out once for every step that it matches, the last first. */
export interface MatchSteps {
  readonly kind: 'match-steps';
  readonly input: PlanNode;
  /** The steps begin anew for each value of these. */
  readonly partition?: readonly Scalar[];
  readonly steps: readonly MatchStep[];
  /** Columns that the steps assign; the expression is their value where a step does not, and in an empty state. */
  readonly declared: readonly ComputeItem[];
  readonly kept: readonly KeptColumn[];
  /** Numbers the matches from 0; all 0 when nobody asks for the number. */
  readonly matchId: PlanColumn;
  readonly numbered: boolean;
}

/** A column of a table that is computed once, under an id of its own. */
export interface OnceColumn extends PlanColumn {
  readonly source: ColumnId;
}

/** One use of a table that the query names several times. Nodes of one key hold equal plans, which run once. */
export interface Once {
  readonly kind: 'once';
  readonly key: number;
  readonly input: PlanNode;
  readonly columns: readonly OnceColumn[];
}

export type PlanNode =
  | Scan
  | StoreScan
  | Values
  | Range
  | Filter
  | Compute
  | Aggregate
  | Sort
  | Limit
  | UniqueBy
  | Join
  | Union
  | Expand
  | Window
  | MatchSteps
  | Once;

/** A column of the result as the user sees it. */
export interface ResultColumn extends PlanColumn {
  readonly name: string;
}

/** A chart that the query asks for; it does not change the rows. */
export interface RenderHint {
  readonly chart: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** A whole query, not yet tied to a tenant. */
export interface Plan {
  readonly root: PlanNode;
  readonly columns: readonly ResultColumn[];
  /** The first id that no column has yet. */
  readonly nextId: ColumnId;
  readonly render?: RenderHint;
}
