import type { QueryReach } from '@tyrian/kql';

/** A query of a user that is asked about: its counts, its values, why it is empty. */
export interface AskedSearch {
  readonly clusterId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  /** The scopes that the query may name. */
  readonly reach: QueryReach;
  readonly kql: string;
  /** Epoch milliseconds, half-open. */
  readonly range: { readonly from: number; readonly to: number };
  readonly signal: AbortSignal;
  /** Hears which scopes are read. */
  readonly onScopes: (scopes: readonly string[]) => void;
}
