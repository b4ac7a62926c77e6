import { IconBuildings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type TenantItem, tenantList } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { isRootUser } from '../../../lib/landing.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useAddressParam } from '../../../lib/use-address.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { ListFrame } from '../../../ui/list-frame.tsx';
import type { DataColumn } from '../../../ui/table-model.ts';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { DemoControl } from '../../demo/public.ts';
import { readAccess } from '../sign-in/refresh-access.ts';
import { ConnectButton } from './connect-dialog.tsx';
import classes from './tenant-list-page.module.css';

const PAGE_SIZE = 1000;

/** The tenants that the caller can reach, with their scopes; root makes new ones. */
export function TenantListPage() {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  const navigate = useNavigate();
  const [query, setQuery] = useAddressParam('q');
  const list = useQuery(
    callQuery(tenantList, { size: PAGE_SIZE, query, add_filter: [], page: 1 }, { keep: true }),
  );
  const columns = useMemo(() => tenantColumns(t), [t]);
  const isRoot = isRootUser(session);
  return (
    <ListFrame
      icon={IconBuildings}
      title={t('title')}
      name="tenants"
      exported={{ entity: 'tenants', selection: { query } }}
      list={list}
      columns={columns}
      rowId={(one) => one.clusterId}
      onOpen={(one) => void navigate(`/admin/tenants/${encodeURIComponent(one.clusterId)}`)}
      query={query}
      onQuery={setQuery}
      searchLabel={t('search')}
      emptyTitle={t('none')}
      emptyText={t('noneText')}
      noMatch={t('noMatch')}
      actions={
        isRoot ? (
          <>
            <DemoControl onChanged={() => void readAccess(session)} />
            <ConnectButton
              purpose="newTenant"
              label={t('new')}
              onConnected={(id) => void navigate(`/admin/tenants/configure/${id}`)}
            />
          </>
        ) : null
      }
    />
  );
}

function tenantColumns(t: (key: string) => string): readonly DataColumn<TenantItem>[] {
  return [
    { id: 'name', header: t('name'), width: 240, value: (one) => one.clusterName },
    {
      id: 'id',
      header: t('id'),
      width: 150,
      value: (one) => one.clusterId,
      cell: (one) => <span className="mono">{one.clusterId}</span>,
    },
    { id: 'organization', header: t('organization'), width: 180, value: (one) => one.primary_org },
    { id: 'type', header: t('type'), width: 130, value: (one) => t(`productType.${one.productType}`) },
    { id: 'licence', header: t('licence'), width: 120, value: (one) => t(`licenceType.${one.licenseType}`) },
    {
      id: 'scopes',
      header: t('scopes'),
      width: 260,
      value: (one) => one.scope_list.length,
      cell: (one) => (
        <span className={classes.scopes}>
          {one.scope_list.map((scope) => (
            <span key={scope.scope_id} className={classes.scope}>
              {scope.scope_name}
            </span>
          ))}
        </span>
      ),
    },
    { id: 'users', header: t('users'), width: 120, align: 'right', value: (one) => one.user_count },
    {
      id: 'created',
      header: t('created'),
      width: 200,
      value: (one) => one.created,
      cell: (one) => <TimeStamp time={one.created} form="seconds" />,
    },
  ];
}
