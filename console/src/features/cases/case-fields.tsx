import { Select, TextInput } from '@mantine/core';
import { SEVERITIES, type Severity } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';

// The fields that a case is made and changed with.

export const LONGEST_NAME = 200;

interface FieldProps<T> {
  readonly value: T;
  readonly onChange: (value: T) => void;
}

export function CaseNameInput({ value, onChange }: FieldProps<string>) {
  const { t } = useTranslation('cases');
  return (
    <TextInput
      label={t('new.name')}
      value={value}
      maxLength={LONGEST_NAME}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  );
}

export function SeveritySelect({ value, onChange }: FieldProps<Severity>) {
  const { t } = useTranslation('cases');
  return (
    <Select
      label={t('list.severity')}
      allowDeselect={false}
      data={SEVERITIES.map((each) => ({ value: each, label: t(`ui:severity.${each}`) }))}
      value={value}
      onChange={(next) => next && onChange(next)}
    />
  );
}
