import { Button, Checkbox, Stack, Text } from '@mantine/core';
import {
  deleteWorkbook,
  detectionWorkbookCount,
  listDirectories,
  listWorkbooks,
  type Workbook,
  workbookProperties,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';

/** Asks before a workbook is deleted, and whether what it was cloned from shall run again. */
export function DeleteWorkbookDialog(props: {
  readonly workbook: Workbook;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}) {
  const { t } = useTranslation('workbooks');
  const { clusterId, scopeId } = useScope();
  const { ID, properties } = props.workbook;
  const { name, original, replaced_original } = properties;
  const replaced = replaced_original && original && !original.enabled ? original : null;
  const [enableOriginal, setEnableOriginal] = useState(true);
  const remove = useCallMutation(deleteWorkbook, {
    stale: [listWorkbooks, listDirectories, detectionWorkbookCount, workbookProperties],
  });
  const confirm = () =>
    remove.mutate(
      {
        params: { clusterId },
        input: { scope_id: scopeId, ID, enable_original: replaced !== null && enableOriginal },
      },
      {
        onSuccess: ({ enabled }) => {
          const after = enabled
            ? t('delete.originalOn', { name: enabled.name })
            : replaced
              ? t('delete.originalStaysOff', { name: replaced.name })
              : '';
          notify('done', t('delete.done', { name }), after);
          props.onClose();
          props.onDeleted();
        },
      },
    );
  return (
    <Dialog onClose={props.onClose} title={t('delete.title', { name })}>
      <Stack gap={14}>
        <Text size="sm">{t('delete.consequence')}</Text>
        {replaced && (
          <Checkbox
            label={t('delete.enableOriginal', { name: replaced.name })}
            description={t('delete.enableOriginalHelp')}
            checked={enableOriginal}
            onChange={(event) => setEnableOriginal(event.currentTarget.checked)}
          />
        )}
        <DialogActions onCancel={props.onClose}>
          <Button color="red" loading={remove.isPending} onClick={confirm} data-autofocus>
            {t('delete.confirm')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}
