import type { InputOf, invokeJob } from '@tyrian/contract';
import type { QueryReach } from '@tyrian/kql';
import type { QueryQueue } from './query-queues.ts';

/** A search as it is asked for, before it has an id. */
export interface NewSearch {
  readonly scopeId: string;
  readonly kql: string;
  readonly from: InputOf<typeof invokeJob>['from'];
  readonly to: InputOf<typeof invokeJob>['to'];
  readonly timezone: string;
  readonly rowLimit: number;
  readonly queue: QueryQueue;
  /** The places that the query may name. */
  readonly reach: QueryReach;
}
