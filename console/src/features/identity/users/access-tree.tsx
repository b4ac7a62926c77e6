import { Anchor } from '@mantine/core';
import type { AccessEntry } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SettingsPage } from '../../../ui/settings-section.tsx';
import classes from './access-tree.module.css';

/** Cluster, scope, role: everything that a user may reach. */
export function AccessTree({ access }: { readonly access: readonly AccessEntry[] }) {
  const { t } = useTranslation('users');
  if (access.length === 0) {
    return <EmptyState kind="nothing-yet" title={t('noAccess')} text={t('noAccessText')} />;
  }
  return (
    <SettingsPage>
      <ul className={classes.tree} aria-label={t('tab.access')}>
        {access.map((entry) => (
          <li key={entry.clusterId} className={classes.cluster}>
            <div className={classes.head}>
              <Anchor component={Link} size="sm" to={`/admin/tenants/${entry.clusterId}`}>
                {entry.clusterName}
              </Anchor>
              <span className={classes.role}>{t(`access.${entry.access_type}`)}</span>
            </div>
            <ul className={classes.scopes}>
              {entry.scope_access.map((scope) => (
                <li key={scope.scope_id} className={classes.scope} data-off={!scope.is_enabled || undefined}>
                  <span>
                    {scope.is_enabled ? scope.scope_name : t('disabled', { name: scope.scope_name })}
                  </span>
                  <span className={classes.role}>{t(`role.${scope.role}`)}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </SettingsPage>
  );
}
