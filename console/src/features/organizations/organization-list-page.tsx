import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listOrganizations, type OrganizationItem } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
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

const ALL = 1000;

/** The organizations that the caller administers. */
export function OrganizationListPage() {
  const { t } = useTranslation('organizations');
  const { locale } = useSettings();
  const [params, setParams] = useSearchParams();
  const query = params.get('q') ?? '';
  const list = useQuery(callQuery(listOrganizations, { pageno: 1, pagesize: ALL, query }, { keep: true }));
  const columns = useMemo(
    (): readonly DataColumn<OrganizationItem>[] => [
      { id: 'name', header: t('name'), width: 280, value: (one) => one.name },
      { id: 'auth', header: t('auth'), width: 170, value: (one) => t(`authType.${one.auth_type}`) },
      { id: 'users', header: t('users'), width: 90, align: 'right', value: (one) => one.user_count },
      { id: 'tenants', header: t('tenants'), width: 90, align: 'right', value: (one) => one.tenant_count },
      {
        id: 'timeout',
        header: t('timeout'),
        width: 150,
        align: 'right',
        value: (one) => one.session_timeout_min,
        cell: (one) => t('minutes', { count: one.session_timeout_min }),
      },
      { id: 'status', header: t('status'), width: 110, value: (one) => t(`state.${one.status}`) },
      {
        id: 'created',
        header: t('created'),
        width: 200,
        value: (one) => one.created,
        cell: (one) => <TimeStamp time={one.created} form="longDate" />,
      },
    ],
    [t],
  );
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconBuilding}
          title={t('title')}
          count={list.data ? formatInteger(list.data.total_count, locale) : undefined}
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
        rowId={(one) => one.orgId}
        storageName="organizations"
        isRefetching={list.isPlaceholderData}
        failed={
          list.isLoadingError ? <ErrorPanel error={list.error} onRetry={() => void list.refetch()} /> : null
        }
        empty={
          <EmptyState kind={query ? 'filtered-out' : 'nothing-yet'} title={t(query ? 'noMatch' : 'none')} />
        }
      />
    </PageLayout>
  );
}
