import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface EmailFieldProps {
  readonly value: string;
  readonly onChange: (email: string) => void;
  readonly onBlur?: () => void;
}

/** Who somebody is before a session: the first field of the card. */
export function EmailField({ value, onChange, onBlur }: EmailFieldProps) {
  const { t } = useTranslation('auth');
  return (
    <TextInput
      size="sm"
      type="email"
      autoComplete="username"
      label={t('signIn.email')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
      required
      withAsterisk={false}
      autoFocus
    />
  );
}
