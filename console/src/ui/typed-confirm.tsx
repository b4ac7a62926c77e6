import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';

interface TypedConfirmProps {
  readonly title: string;
  /** What is lost, with figures. */
  readonly consequence: string;
  /** Has to be typed as it stands. */
  readonly name: string;
  readonly confirmLabel: string;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for the name of a thing before it is destroyed for good. */
export function TypedConfirm(props: TypedConfirmProps) {
  const { t } = useTranslation('ui');
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === props.name) props.onConfirm();
  };
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form onSubmit={submit}>
        <Stack gap={12}>
          <Text size="sm">{props.consequence}</Text>
          <TextInput
            label={t('typedConfirm.label', { name: props.name })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={props.onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red" loading={props.isBusy} disabled={typed !== props.name}>
              {props.confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
