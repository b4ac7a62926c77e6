import { Checkbox, Text } from '@mantine/core';
import {
  deleteWorkbook,
  detectionWorkbookCount,
  listDirectories,
  listWorkbooks,
  type OutputOf,
  type Workbook,
  workbookProperties,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

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
  const confirm = () => {
    const input = { scope_id: scopeId, ID, enable_original: replaced !== null && enableOriginal };
    const onSuccess = ({ enabled }: OutputOf<typeof deleteWorkbook>) => {
      const stillOff = replaced ? t('delete.originalStaysOff', { name: replaced.name }) : '';
      const after = enabled ? t('delete.originalOn', { name: enabled.name }) : stillOff;
      notify('done', t('delete.done', { name }), after);
      props.onClose();
      props.onDeleted();
    };
    remove.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  return (
    <FormDialog
      isDanger
      isQuestion
      title={t('delete.title', { name })}
      submitLabel={t('delete.confirm')}
      isBusy={remove.isPending}
      onClose={props.onClose}
      onSubmit={confirm}
    >
      <Text size="sm">{t('delete.consequence')}</Text>
      {replaced && (
        <Checkbox
          label={t('delete.enableOriginal', { name: replaced.name })}
          description={t('delete.enableOriginalHelp')}
          checked={enableOriginal}
          onChange={(event) => setEnableOriginal(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}
