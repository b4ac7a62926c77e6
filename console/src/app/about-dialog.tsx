import { Anchor, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { APP_VERSION } from '../lib/app-version.ts';
import { Dialog } from '../ui/dialog.tsx';
import { GeoCredit } from '../ui/geo-credit.tsx';

/** Version, licence, and whose data the console shows. */
export function AboutDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('app');
  return (
    <Dialog onClose={onClose} title={t('about.title')}>
      <Stack gap={8}>
        <Text size="sm">Tyrian {APP_VERSION}</Text>
        <Text size="sm">
          {t('about.licence')}{' '}
          <Anchor
            href="https://www.apache.org/licenses/LICENSE-2.0"
            target="_blank"
            rel="noopener noreferrer"
            size="sm"
          >
            Apache-2.0
          </Anchor>
        </Text>
        <Text size="sm">
          {t('about.countries')} <GeoCredit />
        </Text>
      </Stack>
    </Dialog>
  );
}
