import { Button, type ButtonProps, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface ConfirmButtonProps extends ButtonProps {
  /** Names the thing: "Remove the demo company?". */
  readonly title: string;
  /** Names the consequence: "Deletes 2 tenants and 612,000 events." */
  readonly consequence: string;
  /** Verb and object, on the confirming button and, unless told otherwise, on this one. */
  readonly confirmLabel: string;
  readonly onConfirm: () => void;
  readonly children?: ReactNode;
}

/** A button that asks before it does what can't be undone. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { title, consequence, confirmLabel, onConfirm, children = confirmLabel, ...button } = props;
  const { t } = useTranslation('ui');
  const ask = () =>
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{consequence}</Text>,
      labels: { confirm: confirmLabel, cancel: t('cancel') },
      confirmProps: { color: 'red', size: 'xs' },
      cancelProps: { size: 'xs' },
      closeButtonProps: { 'aria-label': t('close') },
      onConfirm,
    });
  return (
    <Button {...button} onClick={ask}>
      {children}
    </Button>
  );
}
