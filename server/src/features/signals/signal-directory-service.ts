import type { Clock } from '../../platform/clock.ts';
import type { SignalDirectory } from '../cases/signal-directory.ts';
import { signalsById } from './signal-store.ts';
import { addCase, removeCase, setFalsePositiveByCase, similarSignals } from './triage-store.ts';

/** Signals as cases use them; every function works in the transaction of the case. */
export function createSignalDirectory(clock: Clock): SignalDirectory {
  return {
    getMany: signalsById,
    markInCase: (trx, clusterId, signalIds, mark) =>
      addCase(trx, clusterId, signalIds, mark.caseId, {
        author: mark.author,
        atMs: clock.now(),
        action: 'case_added',
        detail: mark.caseKey,
      }),
    unmarkInCase: (trx, clusterId, signalIds, mark) =>
      removeCase(trx, clusterId, signalIds, mark.caseId, {
        author: mark.author,
        atMs: clock.now(),
        action: 'case_removed',
        detail: mark.caseKey,
      }),
    markFalsePositive: (trx, clusterId, signalIds, falsePositive, mark) =>
      setFalsePositiveByCase(trx, clusterId, signalIds, falsePositive, mark.caseId, {
        author: mark.author,
        atMs: clock.now(),
        action: falsePositive ? 'false_positive' : 'not_false_positive',
        detail: mark.caseKey,
      }),
    similar: similarSignals,
  };
}
