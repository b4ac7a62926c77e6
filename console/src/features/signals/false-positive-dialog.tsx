import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';

const LONGEST_REASON = 500;

interface FalsePositiveDialogProps {
  readonly count: number;
  readonly onClose: () => void;
  readonly onConfirm: (reason: string) => void;
}

/** Marks signals as false positive, with a reason for those who come later; Enter confirms without one. */
export function FalsePositiveDialog({ count, onClose, onConfirm }: FalsePositiveDialogProps) {
  const { t } = useTranslation('signals');
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onConfirm(reason.trim());
  };
  return (
    <Dialog onClose={onClose} title={t('falsePositive.title', { count })}>
      <form onSubmit={submit}>
        <Stack gap={12}>
          <TextInput
            label={t('falsePositive.reason')}
            placeholder={t('falsePositive.example')}
            value={reason}
            maxLength={LONGEST_REASON}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          <Text size="xs" c="dimmed">
            {t('falsePositive.help')}
          </Text>
          <DialogActions onCancel={onClose}>
            <Button type="submit">{t('falsePositive.button')}</Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
