import { Button, Text, Title } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PageState } from '../../../ui/page-state.tsx';

/** For an address that leads nowhere; the way home is the one of the user's role. */
export function NotFoundPage() {
  const { t } = useTranslation('app');
  return (
    <main style={{ height: '100%' }}>
      <PageState icon={IconMapOff}>
        <Title order={1}>{t('notFound.title')}</Title>
        <Text c="dimmed">{t('notFound.text')}</Text>
        <Button component={Link} to="/">
          {t('notFound.home')}
        </Button>
      </PageState>
    </main>
  );
}
