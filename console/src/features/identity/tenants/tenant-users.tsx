import { Button } from '@mantine/core';
import { IconPlus, IconUserMinus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  disconnectTenantUser,
  listTenantUsers,
  readTenant,
  type ScopeItem,
  type TenantUser,
} from '@tyrian/contract';
import { type ComponentProps, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/call.ts';
import { notify } from '../../../lib/notify.ts';
import { useAddressParam } from '../../../lib/use-address.ts';
import { callQuery, markStale } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { EnabledMark } from '../../../ui/enabled-mark.tsx';
import { ListPanel } from '../../../ui/list-frame.tsx';
import type { DataColumn } from '../../../ui/table-model.ts';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { BulkAssign } from './bulk-assign.tsx';
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
  const [query, setQuery] = useAddressParam('q');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [openId, setOpenId] = useState<string | null>(null);
  const input = { pageno: 1, pagesize: PAGE_SIZE, query };
  const list = useQuery(callQuery(listTenantUsers, input, { params: { clusterId }, keep: true }));
  const columns = useMemo(() => userColumns(t, scopes), [t, scopes]);
  const find = (userId: string | null) => list.data?.data.find((one) => one.user_id === userId);
  const open = find(openId);
  const acts = (
    <>
      <AddButton clusterId={clusterId} scopes={scopes} onAdded={setOpenId} />
      {selected.size > 0 ? (
        <SelectedUsers
          clusterId={clusterId}
          scopes={scopes}
          userIds={[...selected]}
          nameOf={(userId) => find(userId)?.name ?? userId}
          onLeft={setSelected}
        />
      ) : null}
    </>
  );
  return (
    <ListPanel
      title={t('tab.users')}
      name="tenant-users"
      exported={{ entity: 'tenant_users', clusterId, selection: { query } }}
      list={list}
      columns={columns}
      rowId={(one) => one.user_id}
      openId={openId}
      onOpen={(one) => setOpenId(one.user_id)}
      selected={mayChange ? selected : undefined}
      onSelect={mayChange ? setSelected : undefined}
      query={query}
      onQuery={setQuery}
      searchLabel={t('user.search')}
      emptyTitle={t('user.none')}
      emptyText={t('user.noneText')}
      noMatch={t('user.noMatch')}
      actions={mayChange ? acts : null}
      aside={
        open ? <OpenedUser {...{ clusterId, mayChange }} user={open} onClose={() => setOpenId(null)} /> : null
      }
    />
  );
}

/** Starts anew when somebody else has changed what the user may do. */
function OpenedUser(props: ComponentProps<typeof UserRolesFlyout>) {
  const { user_id, scope_access, access_type } = props.user;
  return <UserRolesFlyout key={`${user_id}${JSON.stringify(scope_access)}${access_type}`} {...props} />;
}

interface AddButtonProps {
  readonly clusterId: string;
  readonly scopes: readonly ScopeItem[];
  readonly onAdded: (userId: string) => void;
}

function AddButton({ clusterId, scopes, onAdded }: AddButtonProps) {
  const { t } = useTranslation('tenants');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setOpen(true)}>
        {t('user.add')}
      </Button>
      {isOpen ? (
        <ConnectUserDialog
          clusterId={clusterId}
          scopes={scopes}
          onClose={() => setOpen(false)}
          onConnected={(userId) => {
            setOpen(false);
            onAdded(userId);
          }}
        />
      ) : null}
    </>
  );
}

interface SelectedUsersProps {
  readonly clusterId: string;
  readonly scopes: readonly ScopeItem[];
  readonly userIds: readonly string[];
  readonly nameOf: (userId: string) => string;
  /** With those who stay selected. */
  readonly onLeft: (selected: ReadonlySet<string>) => void;
}

/** What is done with the selected: roles for all of them, or their end in this tenant. */
function SelectedUsers({ clusterId, scopes, userIds, nameOf, onLeft }: SelectedUsersProps) {
  const { t } = useTranslation('tenants');
  const client = useQueryClient();
  /** One after the other; who could not be disconnected stays selected, and is named with the reason. */
  const disconnect = async () => {
    const failed = new Map<string, string>();
    for (const userId of userIds) {
      await call(disconnectTenantUser, { params: { clusterId, userId }, input: {} }).catch(
        ({ message }: Error) => failed.set(userId, message),
      );
    }
    onLeft(new Set(failed.keys()));
    void markStale(client, [listTenantUsers, readTenant]);
    if (failed.size === 0) return notify('done', t('user.disconnected'));
    const done = userIds.length - failed.size;
    const reasons = [...failed].map(([userId, message]) => `${nameOf(userId)}: ${message}`);
    notify('failed', t('user.disconnectedSome', { done, all: userIds.length }), reasons.join('; '));
  };
  return (
    <>
      <BulkAssign clusterId={clusterId} scopes={scopes} userIds={userIds} onDone={() => onLeft(new Set())} />
      <ConfirmButton
        variant="default"
        leftSection={<IconUserMinus size={14} aria-hidden />}
        title={t('user.disconnectAsk', { count: userIds.length })}
        consequence={t('user.disconnectText')}
        confirmLabel={t('user.disconnect')}
        onConfirm={() => void disconnect()}
      />
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
      cell: (one) => <EnabledMark status={one.status} label={t(`user.${one.status}`)} />,
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
      cell: (one) => (one.last_login === null ? '–' : <TimeStamp time={one.last_login} form="seconds" />),
    },
  ];
}
