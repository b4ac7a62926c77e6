import { Text, Textarea } from '@mantine/core';
import type { Extractor } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import type { ExtractorActs } from './use-extractor-acts.ts';

interface PublishDialogProps {
  readonly extractor: Extractor;
  readonly acts: ExtractorActs;
  readonly onClose: () => void;
}

/** Asks what the version is about, says what is switched off in its favour, and publishes. */
export function PublishDialog({ extractor, acts, onClose }: PublishDialogProps) {
  const { t } = useTranslation('extraction');
  const [comment, setComment] = useState('');
  const { instead, version, status } = extractor;
  return (
    <FormDialog
      title={t('publish.title', { version: version + 1 })}
      submitLabel={t('publish.button')}
      isBusy={acts.publishing.isPending}
      error={acts.publishing.error}
      onClose={onClose}
      onSubmit={() => acts.publish(comment, onClose)}
    >
      <Text size="sm">{t(status === 'disabled' ? 'publish.textOff' : 'publish.text')}</Text>
      {instead.map(({ extractor_id, name }) => (
        <Text size="sm" key={extractor_id}>
          {t('publish.instead', { name: `${extractor_id} ${name}` })}
        </Text>
      ))}
      <Textarea
        label={t('publish.comment')}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        maxLength={500}
        autosize
        minRows={2}
        data-autofocus
      />
    </FormDialog>
  );
}
