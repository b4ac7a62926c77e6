import type { AccessEntry, ScopeAccess } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { scopePath } from '../../lib/scope-path.ts';
import type { Session } from '../../lib/session-store.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { chooseScope } from '../identity/public.ts';
import classes from './home-page.module.css';

/** Cards of clusters with the scopes that the user works in. */
export function ScopeChooser({ session }: { readonly session: Session }) {
  const { t } = useTranslation('home');
  const [search, setSearch] = useState('');
  const clusters = session.access
    .map((cluster) => ({ cluster, scopes: scopesFor(cluster, search) }))
    .filter(({ scopes }) => scopes.length > 0);
  return (
    <section aria-label={t('choose')}>
      <h2 className={classes.caption}>{t('choose')}</h2>
      <SearchInput value={search} onChange={setSearch} label={t('search')} />
      <div className={classes.clusters}>
        {clusters.map(({ cluster, scopes }) => (
          <div key={cluster.clusterId} className={classes.cluster}>
            <div className={classes.clusterHead}>
              {cluster.clusterName}
              <span className={classes.type}>{cluster.productType.toUpperCase()}</span>
            </div>
            {scopes.map((scope) => (
              <button
                key={scope.scope_id}
                type="button"
                className={classes.place}
                aria-current={scope.scope_id === session.scope?.scope_id ? 'true' : undefined}
                onClick={() => void goTo(cluster, scope)}
              >
                {scope.scope_name}
                <span className={classes.note}>{t(`role.${scope.role}`)}</span>
              </button>
            ))}
          </div>
        ))}
      </div>
    </section>
  );
}

function scopesFor(cluster: AccessEntry, search: string): readonly ScopeAccess[] {
  const wanted = search.trim().toLowerCase();
  return cluster.scope_access.filter(
    (scope) =>
      scope.is_enabled &&
      scope.role !== 'No Access' &&
      `${cluster.clusterName} ${scope.scope_name}`.toLowerCase().includes(wanted),
  );
}

function goTo(cluster: AccessEntry, scope: ScopeAccess): Promise<void> {
  const chosen = { clusterId: cluster.clusterId, scopeId: scope.scope_id };
  return chooseScope(chosen, scopePath(chosen, `/home/${scope.scope_id}/${cluster.clusterId}`));
}
