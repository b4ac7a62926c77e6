import { Text } from '@mantine/core';
import type { CodedText } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import type { CallError } from '../../lib/call.ts';
import { serverText } from '../../lib/server-text.ts';

/** Why the server did not save. */
export function SaveRefusal({ error }: { readonly error: CallError }) {
  const { t } = useTranslation('workbooks');
  const listed = (error.details as { problems?: readonly CodedText[] } | null)?.problems ?? [];
  const others = new Set(listed.filter(({ message }) => message !== error.message).map(serverText));
  return (
    <div role="alert">
      <Text size="sm" c="var(--bad)">
        {serverText(error) || t('save.failed')}
      </Text>
      {[...others].map((message) => (
        <Text key={message} size="xs">
          {message}
        </Text>
      ))}
    </div>
  );
}
