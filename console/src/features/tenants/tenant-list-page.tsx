import { IconBuildings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type TenantItem, tenantList } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { TypedSearch } from '../../ui/typed-search.tsx';
import { DemoControl } from './demo-control.tsx';
import classes from './tenant-list-page.module.css';

const PAGE_SIZE = 1000;

/** The tenants that the caller can reach, with their scopes. */
export function TenantListPage() {
  const { t } = useTranslation('tenants');
  const { locale } = useSettings();
  const { tags } = useSignedIn();
  const [params, setParams] = useSearchParams();
  const query = params.get('q') ?? '';
  const list = useQuery(
    callQuery(tenantList, { size: PAGE_SIZE, query, add_filter: [], page: 1 }, { keep: true }),
  );
  const columns = useMemo(() => tenantColumns(t), [t]);
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconBuildings}
          title={t('title')}
          count={list.data ? formatInteger(list.data.total_count, locale) : undefined}
          actions={tags.includes('root') || tags.includes('root-init') ? <DemoControl /> : null}
        />
      }
      filters={
        <TypedSearch
          value={query}
          onChange={(text) => setParams(text ? { q: text } : {}, { replace: true })}
          label={t('search')}
        />
      }
    >
      <DataTable
        label={t('title')}
        rows={list.data?.data}
        columns={columns}
        rowId={(one) => one.clusterId}
        storageName="tenants"
        isRefetching={list.isPlaceholderData}
        failed={
          list.isLoadingError ? <ErrorPanel error={list.error} onRetry={() => void list.refetch()} /> : null
        }
        empty={
          <EmptyState
            kind={query ? 'filtered-out' : 'nothing-yet'}
            title={t(query ? 'noMatch' : 'none')}
            text={query ? undefined : t('noneText')}
          />
        }
      />
    </PageLayout>
  );
}

function tenantColumns(t: (key: string) => string): readonly DataColumn<TenantItem>[] {
  return [
    { id: 'name', header: t('name'), width: 260, value: (one) => one.clusterName },
    {
      id: 'id',
      header: t('id'),
      width: 150,
      value: (one) => one.clusterId,
      cell: (one) => <span className="mono">{one.clusterId}</span>,
    },
    { id: 'type', header: t('type'), width: 130, value: (one) => t(`productType.${one.productType}`) },
    { id: 'licence', header: t('licence'), width: 120, value: (one) => t(`licenceType.${one.licenseType}`) },
    {
      id: 'scopes',
      header: t('scopes'),
      width: 320,
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
    { id: 'users', header: t('users'), width: 90, align: 'right', value: (one) => one.user_count },
    {
      id: 'created',
      header: t('created'),
      width: 200,
      value: (one) => one.created,
      cell: (one) => <TimeStamp time={one.created} form="longDate" />,
    },
  ];
}
