import { Button, type ButtonProps, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import i18next from 'i18next';
import type { ReactNode } from 'react';

interface Question {
  /** Names the thing: "Remove the demo company?". */
  readonly title: string;
  /** Names the consequence: "Deletes 2 tenants and 612,000 events." */
  readonly consequence: string;
  /** Verb and object, on the confirming button. */
  readonly confirmLabel: string;
  /** What is asked about can be undone, or harms nothing. */
  readonly isHarmless?: boolean;
  readonly onConfirm: () => void;
}

/** Asks before something is done that can't be undone. */
export function askToConfirm({ title, consequence, confirmLabel, isHarmless, onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{consequence}</Text>,
    labels: { confirm: confirmLabel, cancel: i18next.t('ui:cancel') },
    confirmProps: { size: 'xs', ...(isHarmless ? {} : { color: 'red' }) },
    cancelProps: { size: 'xs' },
    closeButtonProps: { 'aria-label': i18next.t('ui:close') },
    onConfirm,
  });
}

interface ConfirmButtonProps extends ButtonProps, Question {
  /** What the button says; as the confirming one unless told otherwise. */
  readonly children?: ReactNode;
}

/** A button that asks before it does what can't be undone. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { title, consequence, confirmLabel, isHarmless, onConfirm, children, ...button } = props;
  return (
    <Button
      {...button}
      onClick={() => askToConfirm({ title, consequence, confirmLabel, isHarmless, onConfirm })}
    >
      {children ?? confirmLabel}
    </Button>
  );
}
