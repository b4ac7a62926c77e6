import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../../lib/save-file.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import classes from './auth-card.module.css';

/** Recovery codes, shown once: to copy or to save, each opens once when the second factor is not at hand. */
export function RecoveryCodesPanel({ codes }: { readonly codes: readonly string[] }) {
  const { t } = useTranslation('auth');
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <Text c="dimmed">{t('recovery.text')}</Text>
      <ul className={classes.codes} aria-label={t('recovery.title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap={8}>
        <CopyButton value={text} label={t('recovery.copy')} />
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'tyrian-recovery-codes.txt')}
        >
          {t('recovery.save')}
        </Button>
      </Group>
    </>
  );
}
