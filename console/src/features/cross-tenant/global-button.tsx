import { Button, Tooltip } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { mayGoGlobal } from '../../lib/landing.ts';
import { scopePath } from '../../lib/scope-path.ts';
import { useSignedIn } from '../../lib/session-store.ts';

/** From a list of this scope to the same of all clusters and scopes; nothing for whoever works in one alone. */
export function GlobalButton({ option }: { readonly option: 'signals' | 'cases' }) {
  const { t } = useTranslation('cross-tenant');
  const session = useSignedIn();
  if (!mayGoGlobal(session)) return null;
  const current = { clusterId: session.user.clusterId, scopeId: session.user.scope_id };
  return (
    <Tooltip label={t(`global.buttonTip.${option}`)}>
      <Button
        component={Link}
        to={scopePath(current, `/admin/global/${option}`)}
        variant="default"
        leftSection={<IconWorld size={14} aria-hidden />}
      >
        {t('global.button')}
      </Button>
    </Tooltip>
  );
}
