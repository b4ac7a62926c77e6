import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { copyText } from './copy-text.ts';
import { IconButton } from './icon-button.tsx';

interface CopyButtonProps {
  readonly value: string;
  /** With a label it is a button with words, without one an icon. */
  readonly label?: string;
}

/** Copies a value and says so. */
export function CopyButton({ value, label }: CopyButtonProps) {
  const { t } = useTranslation('ui');
  return label ? (
    <Button variant="default" leftSection={<IconCopy size={14} />} onClick={() => void copyText(value)}>
      {label}
    </Button>
  ) : (
    <IconButton
      label={t('copy')}
      size={22}
      onClick={(event) => {
        event.stopPropagation();
        void copyText(value);
      }}
    >
      <IconCopy size={14} />
    </IconButton>
  );
}
