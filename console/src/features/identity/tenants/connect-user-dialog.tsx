import { Select, Switch } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import {
  listTenantCandidates,
  listTenantUsers,
  type OutputOf,
  readTenant,
  type ScopeItem,
  type ScopeRole,
  saveTenantUser,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { RoleSelect } from './role-select.tsx';

interface ConnectUserDialogProps {
  readonly clusterId: string;
  readonly scopes: readonly ScopeItem[];
  readonly onClose: () => void;
  readonly onConnected: (userId: string) => void;
}

type Candidate = OutputOf<typeof listTenantCandidates>['data'][number];

/** Finds somebody by a part of the name or address and connects them to the tenant. */
export function ConnectUserDialog({ clusterId, scopes, onClose, onConnected }: ConnectUserDialogProps) {
  const { t } = useTranslation('tenants');
  const [chosen, setChosen] = useState<Candidate | null>(null);
  const [isAdministrator, setAdministrator] = useState(false);
  const [role, setRole] = useState<ScopeRole>('Security Analyst');
  const save = useCallMutation(saveTenantUser, {
    stale: [listTenantUsers, readTenant, listTenantCandidates],
    quiet: true,
  });
  const enabled = scopes.filter((scope) => scope.is_enabled);
  const submit = () => {
    if (!chosen) return;
    const userId = chosen.user_id;
    const roles = Object.fromEntries(enabled.map((scope) => [scope.scope_id, role]));
    save.mutate(
      { params: { clusterId, userId }, input: { is_administrator: isAdministrator, roles } },
      { onSuccess: () => onConnected(userId) },
    );
  };
  return (
    <FormDialog
      title={t('user.add')}
      submitLabel={t('user.connect')}
      error={save.error}
      isReady={chosen !== null}
      isBusy={save.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <CandidateSelect clusterId={clusterId} chosen={chosen} onChoose={setChosen} />
      <RoleSelect label={t('user.roleEverywhere')} value={role} onChange={setRole} />
      <Switch
        label={t('user.isAdministrator')}
        description={chosen && !chosen.is_primary ? t('user.primaryOnly') : undefined}
        disabled={chosen !== null && !chosen.is_primary}
        checked={isAdministrator && chosen?.is_primary !== false}
        onChange={(event) => setAdministrator(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}

interface CandidateSelectProps {
  readonly clusterId: string;
  readonly chosen: Candidate | null;
  readonly onChoose: (candidate: Candidate | null) => void;
}

/** The server searches: there may be thousands of people. */
function CandidateSelect({ clusterId, chosen, onChoose }: CandidateSelectProps) {
  const { t } = useTranslation('tenants');
  const [search, setSearch] = useState('');
  const [query] = useDebouncedValue(search, 250);
  const input = { pageno: 1, pagesize: 20, query };
  const candidates = useQuery(
    callQuery(listTenantCandidates, input, { params: { clusterId }, keep: true, quiet: true }),
  );
  const found = candidates.data?.data ?? [];
  return (
    <Select
      label={t('user.find')}
      description={t('user.findHelp')}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      value={chosen?.user_id ?? null}
      onChange={(userId) => onChoose(found.find((one) => one.user_id === userId) ?? null)}
      filter={({ options }) => options}
      nothingFoundMessage={t(query.trim().length < 3 ? 'user.typeMore' : 'user.noMatch')}
      data={found.map((one) => ({ value: one.user_id, label: `${one.name} (${one.email_id})` }))}
      data-autofocus
    />
  );
}
