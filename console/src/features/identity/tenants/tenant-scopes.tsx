import { Button, Switch, Table, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import {
  deleteScope,
  readTenant,
  type ScopeItem,
  saveScope,
  setScopeStatus,
  tenantList,
} from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SettingsPage, SettingsSection } from '../../../ui/settings-section.tsx';
import { TypedConfirm } from '../../../ui/typed-confirm.tsx';
import { readAccess } from '../sign-in/refresh-access.ts';

interface TenantScopesProps {
  readonly clusterId: string;
  readonly scopes: readonly ScopeItem[];
  readonly mayChange: boolean;
}

const STALE = [readTenant, tenantList];

/** The scopes of a tenant: made, renamed, switched, deleted once disabled. */
export function TenantScopes({ clusterId, scopes, mayChange }: TenantScopesProps) {
  const { t } = useTranslation('tenants');
  return (
    <SettingsPage>
      <SettingsSection title={t('scopes')} help={t('scope.help')}>
        <Table verticalSpacing={4} aria-label={t('scopes')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('scope.name')}</Table.Th>
              <Table.Th>{t('scope.enabled')}</Table.Th>
              <Table.Th aria-label={t('scope.delete')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {scopes.map((scope) => (
              <ScopeRow
                key={`${scope.scope_id}${scope.scope_name}`}
                clusterId={clusterId}
                scope={scope}
                mayChange={mayChange}
              />
            ))}
          </Table.Tbody>
        </Table>
        {mayChange ? <NewScope clusterId={clusterId} /> : null}
      </SettingsSection>
    </SettingsPage>
  );
}

interface ScopeRowProps {
  readonly clusterId: string;
  readonly scope: ScopeItem;
  readonly mayChange: boolean;
}

function ScopeRow(props: ScopeRowProps) {
  const { clusterId, scope, mayChange } = props;
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  const status = useCallMutation(setScopeStatus, { stale: STALE });
  const { scope_id, scope_name, is_enabled } = scope;
  return (
    <Table.Tr>
      <Table.Td>
        <ScopeName {...props} />
      </Table.Td>
      <Table.Td>
        <Switch
          aria-label={t('scope.enable', { name: scope_name })}
          checked={is_enabled}
          disabled={!mayChange || status.isPending}
          onChange={(event) =>
            status.mutate(
              {
                params: { clusterId, scopeId: scope_id },
                input: { is_enabled: event.currentTarget.checked },
              },
              { onSuccess: () => void readAccess(session) },
            )
          }
        />
      </Table.Td>
      <Table.Td ta="right">{mayChange ? <DeleteScope clusterId={clusterId} scope={scope} /> : null}</Table.Td>
    </Table.Tr>
  );
}

function ScopeName({ clusterId, scope: { scope_id, scope_name }, mayChange }: ScopeRowProps) {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  const [name, setName] = useState(scope_name);
  const rename = useCallMutation(saveScope, { stale: STALE });
  const isRenamed = name.trim() !== '' && name.trim() !== scope_name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isRenamed) return;
    rename.mutate(
      { params: { clusterId }, input: { scope_id, scope_name: name } },
      { onSuccess: () => void readAccess(session) },
    );
  };
  return (
    <form onSubmit={submit} style={{ display: 'flex', gap: 8 }}>
      <TextInput
        aria-label={t('scope.nameOf', { name: scope_name })}
        value={name}
        readOnly={!mayChange}
        maxLength={128}
        onChange={(event) => setName(event.currentTarget.value)}
        style={{ flex: '1 1 auto' }}
      />
      {isRenamed ? (
        <Button type="submit" loading={rename.isPending}>
          {t('scope.rename')}
        </Button>
      ) : null}
    </form>
  );
}

/** Only a scope that is switched off can be deleted; its name has to be typed. */
function DeleteScope({ clusterId, scope }: Omit<ScopeRowProps, 'mayChange'>) {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  const [isAsking, setAsking] = useState(false);
  const remove = useCallMutation(deleteScope, { stale: STALE });
  const { scope_id, scope_name: name, is_enabled } = scope;
  const onSuccess = () => {
    setAsking(false);
    notify('done', t('scope.deleted', { name }));
    void readAccess(session);
  };
  return (
    <>
      <IconButton
        label={t(is_enabled ? 'scope.deleteDisabledFirst' : 'scope.deleteNamed', { name })}
        disabled={is_enabled}
        onClick={() => setAsking(true)}
      >
        <IconTrash size={16} />
      </IconButton>
      {isAsking ? (
        <TypedConfirm
          title={t('scope.deleteAsk', { name })}
          consequence={t('scope.deleteText')}
          name={name}
          confirmLabel={t('scope.delete')}
          isBusy={remove.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            remove.mutate({ params: { clusterId }, input: { action: 'delete', scope_id } }, { onSuccess })
          }
        />
      ) : null}
    </>
  );
}

function NewScope({ clusterId }: { readonly clusterId: string }) {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  const [name, setName] = useState('');
  const make = useCallMutation(saveScope, { stale: STALE });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    make.mutate(
      { params: { clusterId }, input: { scope_name: name } },
      {
        onSuccess: () => {
          setName('');
          void readAccess(session);
        },
      },
    );
  };
  return (
    <form onSubmit={submit} style={{ display: 'flex', gap: 8, alignItems: 'end' }}>
      <TextInput
        label={t('scope.new')}
        value={name}
        maxLength={128}
        onChange={(event) => setName(event.currentTarget.value)}
        style={{ flex: '1 1 auto' }}
      />
      <Button
        type="submit"
        variant="default"
        disabled={name.trim() === ''}
        loading={make.isPending}
        leftSection={<IconPlus size={14} aria-hidden />}
      >
        {t('scope.add')}
      </Button>
    </form>
  );
}
