import { useQueryClient } from '@tanstack/react-query';
import {
  listSignals,
  signalCaseList,
  signalFacetsResult,
  signalIds,
  signalInfo,
  signalTimeslices,
  tagFalsePositive,
} from '@tyrian/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/call.ts';
import { notify, notifyFailure } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { markStale } from '../../lib/use-call.ts';
import { showUndo } from '../../ui/undo-toast.tsx';
import { FalsePositiveDialog } from './false-positive-dialog.tsx';

const SHOWN = [listSignals, signalTimeslices, signalFacetsResult, signalInfo, signalCaseList, signalIds];

/**
 * Marking false positives by hand, with an optional reason, a way back for 8 s, and by key until the next change. The
 * page renders `dialog`.
 */
export function useTriage(onDone: () => void) {
  const { t } = useTranslation('signals');
  const { clusterId, scopeId } = useScope();
  const client = useQueryClient();
  const [asked, setAsked] = useState<readonly string[] | null>(null);
  const last = useRef<(() => Promise<void>) | null>(null);
  const refresh = () => markStale(client, SHOWN);
  const send = async (ids: readonly string[], falsePositive: boolean, reason = '') => {
    const input = { scope_id: scopeId, signal_ids: [...ids], false_positive: falsePositive, reason };
    const answer = await call(tagFalsePositive, { params: { clusterId }, input });
    await refresh();
    return answer;
  };
  const apply = async (ids: readonly string[], falsePositive: boolean, reason = '') => {
    try {
      const { changed, unchanged, not_found } = await send(ids, falsePositive, reason);
      const undo = async () => {
        last.current = null;
        withdraw();
        try {
          await send(ids, !falsePositive);
        } catch (error) {
          notifyFailure(error);
        }
      };
      last.current = undo;
      const withdraw = showUndo(
        t(falsePositive ? 'triage.tagged' : 'triage.untagged', { count: changed }),
        () => void undo(),
      );
      if (unchanged + not_found.length > 0)
        notify('info', t('triage.unchanged', { count: unchanged + not_found.length }));
      onDone();
    } catch (error) {
      notifyFailure(error);
    }
  };
  /** Asks for the reason first; what is no false positive any more needs none. */
  const tag = (ids: readonly string[], falsePositive: boolean) => {
    if (ids.length === 0) return;
    if (falsePositive) setAsked(ids);
    else void apply(ids, false);
  };
  const dialog = asked ? (
    <FalsePositiveDialog
      count={asked.length}
      onClose={() => setAsked(null)}
      onConfirm={(reason) => {
        setAsked(null);
        void apply(asked, true, reason);
      }}
    />
  ) : null;
  const undoLast = () => {
    if (last.current) void last.current();
    else notify('info', t('triage.nothingToUndo'));
  };
  return { tag, dialog, undoLast, refresh };
}
