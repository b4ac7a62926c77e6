import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** In place of a small part of a page whose call failed, where the page tells the reason elsewhere. */
export function NotLoaded() {
  const { t } = useTranslation('ui');
  return (
    <Text component="p" size="xs" c="dimmed" m={0}>
      {t('error.title')}
    </Text>
  );
}
