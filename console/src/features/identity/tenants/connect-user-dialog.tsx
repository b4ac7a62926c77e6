import { Button, Select, Stack, Switch } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import {
  listTenantCandidates,
  listTenantUsers,
  readTenant,
  type ScopeItem,
  type ScopeRole,
  saveTenantUser,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogActions } from '../../../ui/dialog-actions.tsx';
import { CallProblem } from '../../../ui/form-problem.tsx';
import { RoleSelect } from './role-select.tsx';

interface ConnectUserDialogProps {
  readonly clusterId: string;
  readonly scopes: readonly ScopeItem[];
  readonly onClose: () => void;
  readonly onConnected: (userId: string) => void;
}

/** Finds somebody by a part of the name or address and connects them to the tenant. */
export function ConnectUserDialog({ clusterId, scopes, onClose, onConnected }: ConnectUserDialogProps) {
  const { t } = useTranslation('tenants');
  const [search, setSearch] = useState('');
  const [query] = useDebouncedValue(search, 250);
  const [userId, setUserId] = useState<string | null>(null);
  const [isAdministrator, setAdministrator] = useState(false);
  const [role, setRole] = useState<ScopeRole>('Security Analyst');
  const candidates = useQuery(
    callQuery(
      listTenantCandidates,
      { pageno: 1, pagesize: 20, query },
      { params: { clusterId }, keep: true, quiet: true },
    ),
  );
  const save = useCallMutation(saveTenantUser, {
    stale: [listTenantUsers, readTenant, listTenantCandidates],
    quiet: true,
  });
  const found = candidates.data?.data ?? [];
  const chosen = found.find((one) => one.user_id === userId);
  const enabled = scopes.filter((scope) => scope.is_enabled);
  const submit = () => {
    if (userId === null) return;
    const roles = Object.fromEntries(enabled.map((scope) => [scope.scope_id, role]));
    save.mutate(
      { params: { clusterId, userId }, input: { is_administrator: isAdministrator, roles } },
      { onSuccess: () => onConnected(userId) },
    );
  };
  return (
    <Dialog onClose={onClose} title={t('user.add')}>
      <Stack gap={12}>
        <CallProblem error={save.error} />
        <Select
          label={t('user.find')}
          description={t('user.findHelp')}
          searchable
          searchValue={search}
          onSearchChange={setSearch}
          value={userId}
          onChange={setUserId}
          filter={({ options }) => options}
          nothingFoundMessage={t(query.trim().length < 3 ? 'user.typeMore' : 'user.noMatch')}
          data={found.map((one) => ({ value: one.user_id, label: `${one.name} (${one.email_id})` }))}
          data-autofocus
        />
        <RoleSelect label={t('user.roleEverywhere')} value={role} onChange={setRole} />
        <Switch
          label={t('user.isAdministrator')}
          description={chosen && !chosen.is_primary ? t('user.primaryOnly') : undefined}
          disabled={chosen !== undefined && !chosen.is_primary}
          checked={isAdministrator && chosen?.is_primary !== false}
          onChange={(event) => setAdministrator(event.currentTarget.checked)}
        />
        <DialogActions onCancel={onClose}>
          <Button disabled={userId === null} loading={save.isPending} onClick={submit}>
            {t('user.connect')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}
