import { Button, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { PageState } from '../../../ui/page-state.tsx';

/** What a link to a failure shows: the request id that it carries, and the way home. */
export function ServerErrorPage() {
  const { t } = useTranslation('app');
  const [params] = useSearchParams();
  const request = params.get('request');
  return (
    <PageState icon={IconAlertTriangle}>
      <Title order={1}>{t('error500.title')}</Title>
      <Text c="dimmed">{t('error500.text')}</Text>
      {request ? <CopyButton value={request} label={t('error500.copy')} /> : null}
      <Button component={Link} to="/">
        {t('notFound.home')}
      </Button>
    </PageState>
  );
}
