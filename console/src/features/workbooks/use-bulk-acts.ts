import { useQueryClient } from '@tanstack/react-query';
import {
  deleteWorkbook,
  detectionWorkbookCount,
  listDirectories,
  listWorkbooks,
  moveWorkbook,
  type WorkbookItem,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { CallError, call } from '../../lib/call.ts';
import { notify } from '../../lib/notify.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { markStale } from '../../lib/use-call.ts';
import { showUndo } from '../../ui/undo-toast.tsx';
import { useSwitchDetections } from '../detections/public.ts';
import { downloadWorkbookFile } from './workbook-head-actions.tsx';

const STALE = [listWorkbooks, listDirectories, detectionWorkbookCount];

/** What is done to several workbooks at once, each by a call of its own; `onDone` when none of them is chosen any more. */
export function useBulkActs(chosen: readonly WorkbookItem[], onDone: () => void) {
  const { t } = useTranslation('workbooks');
  const { clusterId, scopeId } = useScope();
  const client = useQueryClient();
  const switchDetections = useSwitchDetections();
  const each = useEach(chosen);
  const params = { clusterId };
  const move = async (directory: string) => {
    const before = chosen.map((one) => ({ ID: one.ID, directory: one.properties.directory }));
    const put = (ID: string, to: string) =>
      call(moveWorkbook, { params, input: { scope_id: scopeId, ID, directory: to } });
    const done = await each((one) => put(one.ID, directory));
    if (done === 0) return;
    showUndo(t('bulk.moved', { count: done }), async () => {
      await Promise.allSettled(before.map((one) => put(one.ID, one.directory)));
      await markStale(client, STALE);
    });
    onDone();
  };
  const remove = async (enableOriginals: boolean) => {
    const done = await each(({ ID, properties }) => {
      const enable_original = enableOriginals && properties.replaced_original;
      return call(deleteWorkbook, { params, input: { scope_id: scopeId, ID, enable_original } });
    });
    if (done > 0) notify('done', t('bulk.deleted', { count: done }));
    onDone();
  };
  const enable = (enabled: boolean) =>
    switchDetections(
      chosen.map((one) => ({ ID: one.ID, name: one.properties.name })),
      enabled,
    );
  const download = async () => {
    for (const one of chosen) await downloadWorkbookFile(clusterId, scopeId, one, one.properties.name);
  };
  return { move, remove, enable, download };
}

/** Does something to every chosen workbook; resolves with how many it was done to and tells of those that failed. */
function useEach(chosen: readonly WorkbookItem[]) {
  const { t } = useTranslation('workbooks');
  const client = useQueryClient();
  return async (work: (workbook: WorkbookItem) => Promise<unknown>): Promise<number> => {
    const results = await Promise.allSettled(chosen.map(work));
    await markStale(client, STALE);
    const done = results.filter((result) => result.status === 'fulfilled').length;
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) {
      notify(
        'failed',
        t('bulk.partly', { done, count: chosen.length }),
        failed.reason instanceof CallError ? serverText(failed.reason) : '',
      );
    }
    return done;
  };
}
