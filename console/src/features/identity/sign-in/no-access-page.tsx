import { Button, Text, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../../lib/session-store.ts';
import { PageState } from '../../../ui/page-state.tsx';
import { endSession } from './end-session.ts';

/** Which role the user has here, whom to ask, and the ways on. */
export function NoAccessPage() {
  const { t } = useTranslation('app');
  const session = useSession();
  return (
    <PageState icon={IconLock}>
      <Title order={1}>{t('noAccess.title')}</Title>
      {session ? (
        <div>
          <Text>{t('noAccess.role', { role: session.role })}</Text>
          {session.cluster ? (
            <Text c="dimmed">
              {t('noAccess.place', {
                cluster: session.cluster.clusterName,
                scope: session.scope?.scope_name ?? t('noAccess.none'),
              })}
            </Text>
          ) : null}
        </div>
      ) : null}
      <Text c="dimmed">{t('noAccess.ask')}</Text>
      {session && !session.tags.includes('no-access') ? (
        <Button component={Link} to="/">
          {t('notFound.home')}
        </Button>
      ) : null}
      {session ? (
        <Button variant="default" onClick={() => void endSession('logout')}>
          {t('noAccess.logout')}
        </Button>
      ) : (
        <Button component={Link} to="/auth/login">
          {t('noAccess.signIn')}
        </Button>
      )}
    </PageState>
  );
}
