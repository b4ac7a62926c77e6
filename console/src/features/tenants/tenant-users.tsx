import { Button } from '@mantine/core';
import { IconPlus, IconUserMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  disconnectTenantUser,
  listTenantUsers,
  readTenant,
  type ScopeItem,
  type TenantUser,
} from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { notify } from '../../lib/notify.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { ListTable } from '../../ui/list-frame.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { TypedSearch } from '../../ui/typed-search.tsx';
import { BulkAssign } from './bulk-assign.tsx';
import classes from './cluster-page.module.css';
import { ConnectUserDialog } from './connect-user-dialog.tsx';
import { UserRolesFlyout } from './user-roles-flyout.tsx';

interface TenantUsersProps {
  readonly clusterId: string;
  readonly scopes: readonly ScopeItem[];
  readonly mayChange: boolean;
}

const PAGE_SIZE = 1000;

/** The people of a tenant with a role per scope: opened in a flyout, assigned in bulk, connected, disconnected. */
export function TenantUsers({ clusterId, scopes, mayChange }: TenantUsersProps) {
  const { t } = useTranslation('tenants');
  const [params, setParams] = useSearchParams();
  const query = params.get('q') ?? '';
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [openId, setOpenId] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const list = useQuery(
    callQuery(
      listTenantUsers,
      { pageno: 1, pagesize: PAGE_SIZE, query },
      { params: { clusterId }, keep: true },
    ),
  );
  const disconnect = useCallMutation(disconnectTenantUser, { stale: [listTenantUsers, readTenant] });
  const columns = useMemo(() => userColumns(t, scopes), [t, scopes]);
  const open = list.data?.data.find((one) => one.user_id === openId);
  const leave = async () => {
    for (const userId of selected) {
      await disconnect.mutateAsync({ params: { clusterId, userId }, input: {} }).catch(() => undefined);
    }
    setSelected(new Set());
    notify('done', t('user.disconnected'));
  };
  return (
    <>
      <div className={classes.bar}>
        <TypedSearch
          value={query}
          onChange={(text) => setParams(text ? { q: text } : {}, { replace: true })}
          label={t('user.search')}
        />
        {mayChange ? (
          <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setAdding(true)}>
            {t('user.add')}
          </Button>
        ) : null}
        {mayChange && selected.size > 0 ? (
          <>
            <BulkAssign
              clusterId={clusterId}
              scopes={scopes}
              userIds={[...selected]}
              onDone={() => setSelected(new Set())}
            />
            <ConfirmButton
              variant="default"
              leftSection={<IconUserMinus size={14} aria-hidden />}
              title={t('user.disconnectAsk', { count: selected.size })}
              consequence={t('user.disconnectText')}
              confirmLabel={t('user.disconnect')}
              onConfirm={() => void leave()}
            >
              {t('user.disconnect')}
            </ConfirmButton>
          </>
        ) : null}
      </div>
      <div style={{ display: 'flex', flex: '1 1 auto', minHeight: 0, position: 'relative' }}>
        <div className={classes.fill} style={{ minWidth: 0 }}>
          <ListTable
            label={t('tab.users')}
            name="tenant-users"
            list={list}
            query={query}
            columns={columns}
            rowId={(one) => one.user_id}
            openId={openId}
            onOpen={(one) => setOpenId(one.user_id)}
            selected={mayChange ? selected : undefined}
            onSelect={mayChange ? setSelected : undefined}
            emptyTitle={t('user.none')}
            emptyText={t('user.noneText')}
            noMatch={t('user.noMatch')}
          />
        </div>
        {open ? (
          <UserRolesFlyout
            key={`${open.user_id}${JSON.stringify(open.scope_access)}${open.access_type}`}
            clusterId={clusterId}
            user={open}
            mayChange={mayChange}
            onClose={() => setOpenId(null)}
          />
        ) : null}
      </div>
      {isAdding ? (
        <ConnectUserDialog
          clusterId={clusterId}
          scopes={scopes}
          onClose={() => setAdding(false)}
          onConnected={(userId) => {
            setAdding(false);
            setOpenId(userId);
          }}
        />
      ) : null}
    </>
  );
}

function userColumns(
  t: (key: string) => string,
  scopes: readonly ScopeItem[],
): readonly DataColumn<TenantUser>[] {
  return [
    { id: 'name', header: t('user.name'), width: 220, value: (one) => one.name },
    { id: 'email', header: t('user.email'), width: 260, value: (one) => one.email_id },
    {
      id: 'status',
      header: t('user.status'),
      width: 120,
      value: (one) => one.status,
      cell: (one) => (
        <StateMark tone={one.status === 'enabled' ? 'good' : 'quiet'} label={t(`user.${one.status}`)} />
      ),
    },
    {
      id: 'access',
      header: t('user.access'),
      width: 150,
      value: (one) => t(`access.${one.access_type}`),
    },
    ...scopes.map(
      (scope): DataColumn<TenantUser> => ({
        id: `s-${scope.scope_id}`,
        header: scope.scope_name,
        width: 160,
        value: (one) =>
          t(
            `role.${one.scope_access.find((entry) => entry.scope_id === scope.scope_id)?.role ?? 'No Access'}`,
          ),
      }),
    ),
    {
      id: 'login',
      header: t('user.lastLogin'),
      width: 200,
      value: (one) => one.last_login,
      cell: (one) => (one.last_login === null ? '–' : <TimeStamp time={one.last_login} form="longDate" />),
    },
  ];
}
