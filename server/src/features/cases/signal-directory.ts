import type { Signal } from '@tyrian/contract';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';

// What cases need to know of signals, and tell them. The signals feature implements it; compose.ts hands it
// in. Every function works in the transaction of the case, so that a case and its signals change together.

interface CaseMark {
  readonly caseId: string;
  /** `CASE-12`, for the history of the signal. */
  readonly caseKey: string;
  readonly author: string;
}

export interface SignalDirectory {
  /** The signals with these ids in this scope, in any order; ids that are not there are left out. */
  getMany(
    trx: TenantTransaction,
    clusterId: string,
    scopeId: string,
    signalIds: readonly string[],
  ): Promise<readonly Signal[]>;
  /** The signals are in the case now: triaged, with the case among their `case_ids`. Repeating changes nothing. */
  markInCase(
    trx: TenantTransaction,
    clusterId: string,
    signalIds: readonly string[],
    mark: CaseMark,
  ): Promise<void>;
  /** The signals are no longer in the case; without another case and not false positive they are pending again. */
  unmarkInCase(
    trx: TenantTransaction,
    clusterId: string,
    signalIds: readonly string[],
    mark: CaseMark,
  ): Promise<void>;
  /**
   * The signals that this case alone holds are false positives because of it, or those that are so because of it are
   * no longer.
   */
  markFalsePositive(
    trx: TenantTransaction,
    clusterId: string,
    signalIds: readonly string[],
    falsePositive: boolean,
    mark: CaseMark,
  ): Promise<void>;
  /**
   * Ids of other pending signals of the scope whose last time is at or after `sinceMs` and that have name,
   * suspects and targets of one of the given signals.
   */
  similar(
    trx: TenantTransaction,
    clusterId: string,
    scopeId: string,
    signalIds: readonly string[],
    sinceMs: number,
  ): Promise<readonly string[]>;
}
