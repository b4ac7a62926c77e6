import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import {
  disconnectTenantUser,
  listTenantUsers,
  readTenant,
  type ScopeRole,
  saveTenantUser,
  type TenantUser,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { useUnsavedWork } from '../../../lib/unsaved-work.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { DetailFlyout } from '../../../ui/detail-flyout.tsx';
import { CallProblem } from '../../../ui/form-problem.tsx';
import { RoleSelect } from './role-select.tsx';

interface UserRolesFlyoutProps {
  readonly clusterId: string;
  readonly user: TenantUser;
  readonly mayChange: boolean;
  readonly onClose: () => void;
}

const STALE = [listTenantUsers, readTenant];

/** What one user may do in the tenant, scope by scope. */
export function UserRolesFlyout({ clusterId, user, mayChange, onClose }: UserRolesFlyoutProps) {
  const { t } = useTranslation('tenants');
  const held = Object.fromEntries(user.scope_access.map((scope) => [scope.scope_id, scope.role]));
  const [roles, setRoles] = useState<Readonly<Record<string, ScopeRole>>>(held);
  const wasAdministrator = user.access_type === 'Administrator';
  const [isAdministrator, setAdministrator] = useState(wasAdministrator);
  const save = useCallMutation(saveTenantUser, { stale: STALE, quiet: true });
  const isChanged =
    isAdministrator !== wasAdministrator ||
    user.scope_access.some((scope) => roles[scope.scope_id] !== scope.role);
  useUnsavedWork(isChanged);
  const params = { clusterId, userId: user.user_id };
  const submit = () =>
    save.mutate(
      { params, input: { is_administrator: isAdministrator, roles } },
      { onSuccess: () => notify('done', t('saved')) },
    );
  return (
    <DetailFlyout title={user.name} label={t('user.rolesOf', { name: user.name })} onClose={onClose}>
      <Stack gap={12} p={16}>
        <Text size="sm" c="dimmed">
          {user.email_id}
        </Text>
        <CallProblem error={save.error} />
        <Switch
          label={t('user.isAdministrator')}
          checked={isAdministrator}
          disabled={!mayChange}
          onChange={(event) => setAdministrator(event.currentTarget.checked)}
        />
        {user.scope_access.map((scope) => (
          <RoleSelect
            key={scope.scope_id}
            label={scope.is_enabled ? scope.scope_name : t('scope.disabledNamed', { name: scope.scope_name })}
            value={roles[scope.scope_id] ?? 'No Access'}
            isReadOnly={!mayChange}
            onChange={(role) => setRoles((old) => ({ ...old, [scope.scope_id]: role }))}
          />
        ))}
        {mayChange ? (
          <Group gap={8}>
            <Button disabled={!isChanged} loading={save.isPending} onClick={submit}>
              {t('user.saveRoles')}
            </Button>
            <DisconnectButton params={params} onDone={onClose} />
          </Group>
        ) : null}
      </Stack>
    </DetailFlyout>
  );
}

interface DisconnectButtonProps {
  readonly params: { readonly clusterId: string; readonly userId: string };
  readonly onDone: () => void;
}

function DisconnectButton({ params, onDone }: DisconnectButtonProps) {
  const { t } = useTranslation('tenants');
  const disconnect = useCallMutation(disconnectTenantUser, { stale: STALE });
  return (
    <ConfirmButton
      variant="default"
      loading={disconnect.isPending}
      title={t('user.disconnectAsk', { count: 1 })}
      consequence={t('user.disconnectText')}
      confirmLabel={t('user.disconnect')}
      onConfirm={() => disconnect.mutate({ params, input: {} }, { onSuccess: onDone })}
    />
  );
}
