import type { KqlType } from '@tyrian/catalog';
import type { Diagnostic } from '@tyrian/diagnostics';
import type {
  AggregateItem,
  ColumnId,
  ColumnReference,
  PlanNode,
  RenderHint,
  Scalar,
  WindowItem,
} from '@tyrian/plan';
import type { PluginColumns } from './plugins/plugin-columns.ts';
import type { Syntax } from './syntax.ts';
import type { TableSource } from './table-source.ts';

// What the lowering of one query carries along. A refusal is a diagnostic here, not an exception: the lowering goes on
// with a stand-in, so that one run reports everything that is refused.

/** A column that has a name in the text of the query. */
export interface NamedColumn {
  readonly name: string;
  readonly id: ColumnId;
  readonly type: KqlType;
}

/** A tabular expression: its plan so far and the columns as the user sees them. */
export interface Table {
  readonly node: PlanNode;
  readonly columns: readonly NamedColumn[];
  /** Set while the rows stand for many tables at once, as inside mv-apply. */
  readonly subtables?: Subtables;
  /** Set for what make-graph gives, which only the graph operators read. */
  readonly graph?: Graph;
}

/** Edges and nodes; each call gives a use of them with columns of its own. */
export interface Graph {
  readonly edges: () => Table;
  /** Names the columns of the edges: their number, and the ids of their ends. */
  readonly number: string;
  readonly source: string;
  readonly target: string;
  readonly nodes: (() => Table) | null;
  /** The column that has the id of a node; null when nodes have no properties. */
  readonly nodeId: string | null;
}

/** One of several tables that a query gives. */
export interface NamedTable {
  readonly name: string;
  readonly table: Table;
}

/** Rows that are many tables: every operator works within each of them. */
export interface Subtables {
  /** Tells the tables apart. */
  readonly keys: readonly ColumnReference[];
  /** Columns whose value all rows of one table share; they come out beside its result. */
  readonly shared: readonly NamedColumn[];
  /**
   * False for rows that the subquery has dropped. They are kept where a later step gives a row even for a table that
   * has none left.
   */
  readonly alive?: ColumnReference;
}

/** What a name of a let statement or a parameter stands for. */
export type Binding =
  | { readonly kind: 'scalar'; readonly value: Scalar }
  /** `byAs`: the name stands in the pipe itself. */
  | { readonly kind: 'table'; readonly expression: Syntax; readonly names: Names; readonly byAs?: true }
  | { readonly kind: 'rows'; readonly make: () => Table }
  | {
      readonly kind: 'function';
      readonly declaration: Syntax<'FunctionDeclaration'>;
      readonly names: Names;
      readonly name: string;
    };

export type Names = ReadonlyMap<string, Binding>;

/** Where an expression stands. */
export interface ExpressionContext {
  readonly names: Names;
  /** Columns of the input; of the left side in a join condition. */
  readonly columns: readonly NamedColumn[];
  /** Columns of the right side, in a join condition only. */
  readonly right?: readonly NamedColumn[];
  /** Collects aggregations where they are allowed. */
  readonly aggregates?: AggregateItem[];
  /** Collects window functions where they are allowed. */
  readonly windows?: WindowItem[];
  /** Reads `step.column` in a step of scan; null when the name is no step. */
  readonly state?: (owner: Syntax, name: Syntax) => Scalar | null;
  /** Answers the calls that only a graph operator knows; null for any other. */
  readonly graphCall?: (node: Syntax) => Scalar | null;
  /** True where a call that gives several columns may stand. */
  readonly tuple?: boolean;
}

/**
 * The recursion of the lowering. Expressions hold tables and tables hold expressions, so every part reaches the rest
 * through the `Lowering` that it is given, never by importing it.
 */
export interface Grammar {
  expression(node: Syntax, context: ExpressionContext, lowering: Lowering): Scalar;
  table(node: Syntax, context: ExpressionContext, lowering: Lowering): Table;
  operator(node: Syntax, input: Table, names: Names, lowering: Lowering): Table;
}

/** Columns of all steps together; each read of all events has about a hundred. */
const MAX_COLUMNS = 50_000;

/** Thrown out of a lowering that would not end in time. */
export class QueryTooBig extends Error {}

/** The state of one compilation. */
export class Lowering {
  readonly diagnostics: Diagnostic[] = [];
  readonly now: Date;
  tables: ReadonlyMap<string, TableSource>;
  readonly plugins: PluginColumns;
  /** Functions being unfolded, one within the other. */
  readonly unfolding: string[] = [];
  render: RenderHint | null = null;
  /** Whether the query may end in several tables. */
  readonly several: boolean;
  /** Those tables, where it does; the first is also the result of its pipe. */
  readonly beside: NamedTable[] = [];
  readonly #grammar: Grammar;
  readonly #keys = new Map<Binding, number>();
  #nextId = 1;
  #steps = 0;
  /** Reads of stored tables. */
  sources = 0;

  constructor(
    now: Date,
    tables: ReadonlyMap<string, TableSource>,
    grammar: Grammar,
    plugins: PluginColumns,
    several = false,
  ) {
    this.now = now;
    this.tables = tables;
    this.#grammar = grammar;
    this.plugins = plugins;
    this.several = several;
  }

  /** A scalar expression of any kind, lowered. */
  expression(node: Syntax, context: ExpressionContext): Scalar {
    return this.#grammar.expression(node, context, this);
  }

  /** A tabular expression of any kind, lowered. */
  table(node: Syntax, context: ExpressionContext): Table {
    return this.#grammar.table(node, context, this);
  }

  /** One operator of a pipe, lowered. */
  operator(node: Syntax, input: Table, names: Names): Table {
    return this.#grammar.operator(node, input, names, this);
  }

  /** Work in which names of tables mean these. */
  over<T>(tables: ReadonlyMap<string, TableSource>, work: () => T): T {
    const before = this.tables;
    this.tables = tables;
    const result = work();
    this.tables = before;
    return result;
  }

  /** A number for a named table; tables that it names itself have smaller ones. */
  keyOf(binding: Binding): number {
    const key = this.#keys.get(binding) ?? this.#keys.size + 1;
    this.#keys.set(binding, key);
    return key;
  }

  /** Throws QueryTooBig when tables that are used over and over have made the plan too big to go on. */
  newId(): ColumnId {
    if (this.#nextId > MAX_COLUMNS) throw new QueryTooBig();
    return this.#nextId++;
  }

  get nextId(): ColumnId {
    return this.#nextId;
  }

  refuse(diagnostic: Diagnostic): void {
    if (this.diagnostics.length < 100) this.diagnostics.push(diagnostic);
  }

  /** Counts operators; false when unfolded lets have made the query too big to go on. */
  step(): boolean {
    this.#steps += 1;
    return this.#steps <= 2000;
  }
}
