import type { InputOf, invokeJob, ResultSort } from '@tyrian/contract';
import type { QueryReach } from '@tyrian/kql';
import type { QueryQueue } from './query-queues.ts';

/** A search as it is asked for, before it has an id. */
export interface NewSearch {
  readonly scopeId: string;
  readonly kql: string;
  readonly from: InputOf<typeof invokeJob>['from'];
  readonly to: InputOf<typeof invokeJob>['to'];
  readonly timezone: string;
  /** Absent: what the query itself suggests. */
  readonly rowLimit?: number | undefined;
  /** Absent: the order that the query gives. */
  readonly sort?: ResultSort | undefined;
  readonly queue: QueryQueue;
  /** The scopes that the query may name. */
  readonly reach: QueryReach;
}
