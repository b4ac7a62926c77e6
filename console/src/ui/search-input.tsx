import { TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import type { KeyboardEventHandler } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './icon-button.tsx';

interface SearchInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What is searched: placeholder and name. */
  readonly label: string;
  readonly width?: number | string;
  readonly onKeyDown?: KeyboardEventHandler<HTMLInputElement>;
}

/** The search field of a filter row, with a way to empty it. */
export function SearchInput({ value, onChange, label, width = 260, onKeyDown }: SearchInputProps) {
  const { t } = useTranslation('ui');
  return (
    <TextInput
      w={width}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      placeholder={label}
      aria-label={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        value ? (
          <IconButton label={t('clearSearch')} size={22} onClick={() => onChange('')}>
            <IconX size={13} />
          </IconButton>
        ) : null
      }
    />
  );
}
