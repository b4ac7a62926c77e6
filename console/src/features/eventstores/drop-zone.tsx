import { Button, FileButton, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { EVENTSTORE_LIMITS } from '@tyrian/contract';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import classes from './eventstores.module.css';

/** Takes a file by drag and drop, or by a button. */
export function DropZone({
  file,
  onFile,
}: {
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
}) {
  const { t } = useTranslation('eventstores');
  const { locale } = useSettings();
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <section
      aria-label={t('upload.zone')}
      className={classes.zone}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer.files[0] ?? null);
      }}
    >
      <Text size="sm">{file ? file.name : t('upload.drop')}</Text>
      <FileButton accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl,.xls,.xlsx" onChange={onFile}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<IconUpload size={14} aria-hidden />}
            data-autofocus
          >
            {t(file ? 'upload.other' : 'upload.choose')}
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="dimmed">
        {t('upload.limits', {
          most: EVENTSTORE_LIMITS.fileBytes / 1024 ** 2,
          rows: formatInteger(EVENTSTORE_LIMITS.rows, locale),
        })}
      </Text>
    </section>
  );
}
