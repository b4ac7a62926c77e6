import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface DialogActionsProps {
  readonly onCancel: () => void;
  /** The buttons that do something, the main one last. */
  readonly children: ReactNode;
}

/** The foot of a dialog: Cancel, then what it is for. */
export function DialogActions({ onCancel, children }: DialogActionsProps) {
  const { t } = useTranslation('ui');
  return (
    <Group justify="flex-end" gap={8}>
      <Button variant="default" onClick={onCancel}>
        {t('cancel')}
      </Button>
      {children}
    </Group>
  );
}
