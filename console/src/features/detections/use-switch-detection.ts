import { useQueryClient } from '@tanstack/react-query';
import {
  detectionWorkbookCount,
  listWorkbooks,
  setWorkbookVisibility,
  workbookProperties,
} from '@tyrian/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/call.ts';
import { notify, notifyFailure } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { markStale } from '../../lib/use-call.ts';
import { showUndo } from '../../ui/undo-toast.tsx';

export interface SwitchedWorkbook {
  readonly ID: string;
  readonly name: string;
}

const STALE = [listWorkbooks, detectionWorkbookCount, workbookProperties];

/**
 * Switches workbooks on or off and says how many; what was switched off can be switched on again for a while, and then
 * covers the time in between.
 */
export function useSwitchDetections(): (
  workbooks: readonly SwitchedWorkbook[],
  enabled: boolean,
) => Promise<void> {
  const { t } = useTranslation('workbooks');
  const client = useQueryClient();
  const { clusterId, scopeId } = useScope();
  return useCallback(
    async (workbooks, enabled) => {
      const put = async (some: readonly SwitchedWorkbook[], on: boolean, since?: number) => {
        const results = await Promise.allSettled(
          some.map(({ ID }) => {
            const backfill = since === undefined ? {} : { backfill_from: since };
            const input = { scope_id: scopeId, ID, enabled: on, ...backfill };
            return call(setWorkbookVisibility, { params: { clusterId }, input });
          }),
        );
        await markStale(client, STALE);
        const failed = results.find((result) => result.status === 'rejected');
        const done = some.filter((_, index) => results[index]?.status === 'fulfilled');
        if (failed && some.length === 1) notifyFailure(failed.reason);
        else if (failed) notify('failed', t('bulk.partly', { done: done.length, count: some.length }));
        return done;
      };
      const since = Date.now();
      const done = await put(workbooks, enabled);
      if (done.length === 0) return;
      const [only] = done;
      const what =
        done.length === 1
          ? t(enabled ? 'switch.on' : 'switch.off', { name: only?.name })
          : t(enabled ? 'bulk.enabled' : 'bulk.disabled', { count: done.length });
      if (enabled) notify('done', what);
      else showUndo(what, () => void put(done, true, since));
    },
    [client, clusterId, scopeId, t],
  );
}
