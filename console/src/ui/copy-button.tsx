import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { copyText } from './copy-text.ts';
import { IconButton } from './icon-button.tsx';

interface CopyButtonProps {
  readonly value: string;
  /** With a label it is a button with words, without one an icon. */
  readonly label?: string;
  /** It stands in the clipboard. */
  readonly onCopied?: () => void;
}

/** Copies a value and says so. */
export function CopyButton({ value, label, onCopied }: CopyButtonProps) {
  const { t } = useTranslation('ui');
  const copy = async () => {
    if (await copyText(value)) onCopied?.();
  };
  return label ? (
    <Button variant="default" leftSection={<IconCopy size={14} />} onClick={() => void copy()}>
      {label}
    </Button>
  ) : (
    <IconButton
      label={t('copy')}
      size={22}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      <IconCopy size={14} />
    </IconButton>
  );
}
