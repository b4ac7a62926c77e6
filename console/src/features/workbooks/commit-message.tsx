import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface CommitMessageProps {
  readonly value: string;
  readonly onChange: (message: string) => void;
  readonly 'data-autofocus'?: boolean;
}

/** What a new version of a workbook is about. */
export function CommitMessage({ onChange, ...rest }: CommitMessageProps) {
  const { t } = useTranslation('workbooks');
  return (
    <Textarea
      {...rest}
      label={t('message')}
      placeholder={t('messageHint')}
      maxLength={500}
      autosize
      minRows={2}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
