import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallError } from '../../lib/call.ts';

/** Why the server did not save. */
export function SaveRefusal({ error }: { readonly error: CallError }) {
  const { t } = useTranslation('workbooks');
  const listed = (error.details as { problems?: readonly { message: string }[] } | null)?.problems ?? [];
  const others = new Set(listed.map((each) => each.message).filter((message) => message !== error.message));
  return (
    <div role="alert">
      <Text size="sm" c="var(--bad)">
        {error.message || t('save.failed')}
      </Text>
      {[...others].map((message) => (
        <Text key={message} size="xs">
          {message}
        </Text>
      ))}
    </div>
  );
}
