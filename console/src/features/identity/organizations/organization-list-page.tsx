import { Button, SegmentedControl } from '@mantine/core';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listOrganizations, type OrganizationItem } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { isRootUser } from '../../../lib/landing.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useAddress, useAddressParam } from '../../../lib/use-address.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { EnabledMark } from '../../../ui/enabled-mark.tsx';
import { ListFrame } from '../../../ui/list-frame.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { PageLayout } from '../../../ui/page-layout.tsx';
import type { DataColumn } from '../../../ui/table-model.ts';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { AuditTable } from '../audit/audit-table.tsx';
import { NewOrganizationDialog } from './new-organization-dialog.tsx';

const ALL = 1000;

/** The organizations that the caller administers, and beside them everything that was done. */
export function OrganizationListPage() {
  const { t } = useTranslation('organizations');
  const session = useSignedIn();
  const navigate = useNavigate();
  const [params] = useAddress();
  const [query, setQuery] = useAddressParam('q');
  const [isMaking, setMaking] = useState(false);
  const isTrail = params.get('view') === 'audit';
  const list = useQuery(callQuery(listOrganizations, { pageno: 1, pagesize: ALL, query }, { keep: true }));
  const columns = useMemo(() => organizationColumns(t), [t]);
  const isRoot = isRootUser(session);
  const open = (orgId: string) => void navigate(`/admin/organizations/${encodeURIComponent(orgId)}`);
  const views = <Views isTrail={isTrail} />;
  if (isTrail) {
    return (
      <PageLayout head={<PageHead icon={IconBuilding} title={t('trail')} actions={views} />}>
        <AuditTable withChain={isRoot || session.tags.includes('root-viewer')} />
      </PageLayout>
    );
  }
  return (
    <>
      <ListFrame
        icon={IconBuilding}
        title={t('title')}
        name="organizations"
        exported={{ entity: 'organizations', selection: { query } }}
        list={list}
        columns={columns}
        rowId={(one) => one.orgId}
        onOpen={(one) => open(one.orgId)}
        query={query}
        onQuery={setQuery}
        searchLabel={t('search')}
        emptyTitle={t('none')}
        noMatch={t('noMatch')}
        actions={
          <>
            {views}
            {isRoot ? (
              <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setMaking(true)}>
                {t('new')}
              </Button>
            ) : null}
          </>
        }
      />
      {isMaking ? <NewOrganizationDialog onClose={() => setMaking(false)} onMade={open} /> : null}
    </>
  );
}

/** The list or the trail; what narrows one says nothing of the other. */
function Views({ isTrail }: { readonly isTrail: boolean }) {
  const { t } = useTranslation('organizations');
  const [, changeAddress] = useAddress();
  const show = (view: string) =>
    changeAddress(() => new URLSearchParams(view === 'audit' ? { view } : {}), { replace: true });
  return (
    <SegmentedControl
      aria-label={t('view')}
      value={isTrail ? 'audit' : 'list'}
      onChange={show}
      data={[
        { value: 'list', label: t('title') },
        { value: 'audit', label: t('trail') },
      ]}
    />
  );
}

function organizationColumns(
  t: (key: string, values?: { readonly count: number }) => string,
): readonly DataColumn<OrganizationItem>[] {
  return [
    { id: 'name', header: t('name'), width: 280, value: (one) => one.name },
    { id: 'auth', header: t('auth'), width: 170, value: (one) => t(`authType.${one.auth_type}`) },
    { id: 'users', header: t('users'), width: 120, align: 'right', value: (one) => one.user_count },
    { id: 'tenants', header: t('tenants'), width: 120, align: 'right', value: (one) => one.tenant_count },
    {
      id: 'timeout',
      header: t('timeout'),
      width: 150,
      align: 'right',
      value: (one) => one.session_timeout_min,
      cell: (one) => t('minutes', { count: one.session_timeout_min }),
    },
    {
      id: 'status',
      header: t('status'),
      width: 130,
      value: (one) => one.status,
      cell: (one) => <EnabledMark status={one.status} label={t(`state.${one.status}`)} />,
    },
    {
      id: 'created',
      header: t('created'),
      width: 200,
      value: (one) => one.created,
      cell: (one) => <TimeStamp time={one.created} form="seconds" />,
    },
  ];
}
