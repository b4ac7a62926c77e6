import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { platformState } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { APP_VERSION } from '../lib/app-version.ts';
import { callQuery } from '../lib/use-call.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FactList } from '../ui/fact-list.tsx';
import { GeoCredit } from '../ui/geo-credit.tsx';

/** Which version is which, licence, and whose data the console shows. */
export function AboutDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('app');
  const state = useQuery(callQuery(platformState, {}, { quiet: true }));
  return (
    <Dialog onClose={onClose} title={t('about.title')}>
      <Stack gap={8}>
        <FactList
          facts={[
            { label: t('about.console'), value: APP_VERSION },
            { label: t('about.server'), value: state.data?.version },
          ]}
        />
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
          <GeoCredit />
        </Text>
      </Stack>
    </Dialog>
  );
}
