import { downloadEventstore, type Eventstore, listEventstores, removeEventstore } from '@tyrian/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, callForFile } from '../../lib/call.ts';
import { formatInteger } from '../../lib/format-number.ts';
import { notify } from '../../lib/notify.ts';
import { saveFile } from '../../lib/save-file.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';

/** Download and deletion of a table; one that something names is deleted after a question that says so. */
export function useStoreActs() {
  const { t } = useTranslation('eventstores');
  const { clusterId, scopeId } = useScope();
  const { mutate } = useCallMutation(removeEventstore, { stale: [listEventstores] });
  const download = useCallback(
    async ({ store_id, name }: Eventstore) => {
      try {
        const input = { scope_id: scopeId, store_id };
        const { blob, fileName } = await callForFile(downloadEventstore, { params: { clusterId }, input });
        saveFile(blob, fileName ?? `${name}.csv`);
      } catch (thrown) {
        if (!(thrown instanceof CallError)) throw thrown;
        notify('failed', t('downloadFailed', { name }), serverText(thrown));
      }
    },
    [t, clusterId, scopeId],
  );
  const remove = useCallback(
    ({ store_id, name, rows, used_by }: Eventstore) =>
      askToConfirm({
        title: t('removeTitle', { name }),
        consequence:
          used_by === 0
            ? t('removeText', { rows: formatInteger(rows) })
            : t('removeUsedText', { rows: formatInteger(rows), count: used_by }),
        confirmLabel: t('removeLabel'),
        onConfirm: () =>
          mutate(
            { params: { clusterId }, input: { scope_id: scopeId, store_id, confirm_used: used_by > 0 } },
            { onSuccess: () => notify('done', t('removed', { name })) },
          ),
      }),
    [t, clusterId, scopeId, mutate],
  );
  return { download, remove };
}
