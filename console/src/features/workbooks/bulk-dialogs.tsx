import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FolderInput } from './folder-input.tsx';

interface MoveDialogProps {
  readonly count: number;
  readonly onClose: () => void;
  readonly onMove: (directory: string) => void;
}

/** Asks into which folder the chosen workbooks go. */
export function BulkMoveDialog({ count, onClose, onMove }: MoveDialogProps) {
  const { t } = useTranslation('workbooks');
  const [directory, setDirectory] = useState('');
  return (
    <FormDialog
      title={t('bulk.moveTitle', { count })}
      submitLabel={t('bulk.moveConfirm')}
      onClose={onClose}
      onSubmit={() => {
        onClose();
        onMove(directory.trim());
      }}
    >
      <FolderInput value={directory} onChange={setDirectory} data-autofocus />
    </FormDialog>
  );
}

interface DeleteDialogProps {
  readonly count: number;
  /** Some took the place of an original, which was switched off. */
  readonly hasClones: boolean;
  readonly onClose: () => void;
  readonly onDelete: (enableOriginals: boolean) => void;
}

/** Asks before the chosen workbooks are deleted, and whether what they were cloned from shall run again. */
export function BulkDeleteDialog({ count, hasClones, onClose, onDelete }: DeleteDialogProps) {
  const { t } = useTranslation('workbooks');
  const [enableOriginals, setEnableOriginals] = useState(true);
  return (
    <FormDialog
      isDanger
      isQuestion
      title={t('bulk.deleteTitle', { count })}
      submitLabel={t('bulk.deleteConfirm', { count })}
      onClose={onClose}
      onSubmit={() => {
        onClose();
        onDelete(hasClones && enableOriginals);
      }}
    >
      <Text size="sm">{t('delete.consequence')}</Text>
      {hasClones && (
        <Checkbox
          label={t('bulk.enableOriginals')}
          description={t('delete.enableOriginalHelp')}
          checked={enableOriginals}
          onChange={(event) => setEnableOriginals(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}
