import { Anchor, Button, Select, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  connectOrganization,
  disconnectOrganization,
  listOrganizations,
  listTenantUsers,
  type OutputOf,
  readTenant,
  tenantList,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { mayOpen } from '../../../lib/landing.ts';
import { notify } from '../../../lib/notify.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { SettingsPage, SettingsSection } from '../../../ui/settings-section.tsx';

interface TenantOrganizationsProps {
  readonly tenant: OutputOf<typeof readTenant>;
  readonly mayChange: boolean;
}

const STALE = [readTenant, tenantList, listTenantUsers];
const ALL = 1000;

/** Whose people may be given access: one primary organization, which administers, and any number of others. */
export function TenantOrganizations({ tenant, mayChange }: TenantOrganizationsProps) {
  const { t } = useTranslation('tenants');
  const { clusterId, organizations } = tenant;
  return (
    <SettingsPage>
      <SettingsSection title={t('tab.organizations')} help={t('org.help')}>
        <Table verticalSpacing={6} aria-label={t('tab.organizations')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('name')}</Table.Th>
              <Table.Th>{t('org.kind')}</Table.Th>
              <Table.Th aria-label={t('org.disconnect')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {organizations.map((one) => (
              <Table.Tr key={one.orgId}>
                <Table.Td>
                  <OrganizationName one={one} />
                </Table.Td>
                <Table.Td>{t(one.is_primary ? 'org.primary' : 'org.secondary')}</Table.Td>
                <Table.Td ta="right">
                  {mayChange && !one.is_primary ? <Acts clusterId={clusterId} one={one} /> : null}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {mayChange ? <ConnectOrganization tenant={tenant} /> : null}
      </SettingsSection>
    </SettingsPage>
  );
}

interface OrganizationProps {
  readonly one: OutputOf<typeof readTenant>['organizations'][number];
}

/** A link for who may open it. */
function OrganizationName({ one }: OrganizationProps) {
  const session = useSignedIn();
  if (!mayOpen(session, 'organization')) return one.name;
  return (
    <Anchor component={Link} to={`/admin/organizations/${encodeURIComponent(one.orgId)}`} size="sm">
      {one.name}
    </Anchor>
  );
}

/** What can be done with an organization that is not the primary one. */
function Acts({ clusterId, one: { orgId, name } }: OrganizationProps & { readonly clusterId: string }) {
  const { t } = useTranslation('tenants');
  const params = { clusterId, orgId };
  const connect = useCallMutation(connectOrganization, { stale: STALE });
  const disconnect = useCallMutation(disconnectOrganization, { stale: STALE });
  const makePrimary = () =>
    connect.mutate(
      { params, input: { is_primary: true } },
      { onSuccess: (done) => notify('done', t('org.demoted', { count: done.demoted_users })) },
    );
  const leave = () =>
    disconnect.mutate(
      { params, input: {} },
      { onSuccess: (done) => notify('done', t('org.disconnected', { count: done.disconnected_users })) },
    );
  return (
    <span style={{ display: 'inline-flex', gap: 8, flexWrap: 'wrap' }}>
      <ConfirmButton
        variant="default"
        title={t('org.primaryAsk', { name })}
        consequence={t('org.primaryText')}
        confirmLabel={t('org.makePrimary')}
        onConfirm={makePrimary}
      />
      <ConfirmButton
        variant="default"
        title={t('org.disconnectAsk', { name })}
        consequence={t('org.disconnectText')}
        confirmLabel={t('org.disconnect')}
        onConfirm={leave}
      />
    </span>
  );
}

function ConnectOrganization({ tenant }: Pick<TenantOrganizationsProps, 'tenant'>) {
  const { t } = useTranslation('tenants');
  const [orgId, setOrgId] = useState<string | null>(null);
  const all = useQuery(callQuery(listOrganizations, { pageno: 1, pagesize: ALL }));
  const connect = useCallMutation(connectOrganization, { stale: STALE });
  const known = new Set(tenant.organizations.map((one) => one.orgId));
  const free = (all.data?.data ?? []).filter((one) => !known.has(one.orgId));
  return (
    <span style={{ display: 'flex', flexWrap: 'wrap', gap: 8, alignItems: 'end' }}>
      <Select
        label={t('org.add')}
        value={orgId}
        searchable
        onChange={setOrgId}
        data={free.map((one) => ({ value: one.orgId, label: one.name }))}
        style={{ flex: '1 1 auto' }}
      />
      <Button
        variant="default"
        disabled={orgId === null}
        loading={connect.isPending}
        onClick={() =>
          connect.mutate(
            { params: { clusterId: tenant.clusterId, orgId: orgId ?? '' }, input: { is_primary: false } },
            { onSuccess: () => setOrgId(null) },
          )
        }
      >
        {t('org.connect')}
      </Button>
    </span>
  );
}
