import type { ResultColumn, ResultValue } from '@tyrian/contract';

/** Where `tyrian query` sends its queries: a running server, or an engine of its own. */
export interface QueryTarget {
  /** Throws with a sentence for the user when the query is refused. */
  run(kql: string): Promise<{
    readonly columns: readonly ResultColumn[];
    readonly rows: readonly (readonly ResultValue[])[];
  }>;
  close(): Promise<void>;
}
