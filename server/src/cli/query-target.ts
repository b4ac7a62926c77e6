import type { ResultColumn, ResultValue } from '@tyrian/contract';

/** A table that a query gives. */
export interface AnswerTable {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly ResultValue[])[];
}

/** The answer of a query; `fork` and `facet` give several tables, of which `columns` and `rows` are the first. */
export interface QueryAnswer extends AnswerTable {
  readonly tables?: readonly (AnswerTable & { readonly name: string })[];
}

/** Where `tyrian query` sends its queries: a running server, or an engine of its own. */
export interface QueryTarget {
  /** Throws with a sentence for the user when the query is refused. */
  run(kql: string): Promise<QueryAnswer>;
  close(): Promise<void>;
}
