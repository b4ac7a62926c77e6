import { Anchor, Table } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type OutputOf, readOrganization } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { isRootUser, mayOpen } from '../../../lib/landing.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { Answered } from '../../../ui/answered.tsx';
import { EnabledMark } from '../../../ui/enabled-mark.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { PageLayout } from '../../../ui/page-layout.tsx';
import { PageTabs } from '../../../ui/page-tabs.tsx';
import { SettingsPage, SettingsSection } from '../../../ui/settings-section.tsx';
import { AuditTable } from '../audit/audit-table.tsx';
import { OrganizationSettings } from './organization-settings.tsx';
import { PeopleList } from './people-list.tsx';
import { SignInSettingsForm } from './sign-in-settings-form.tsx';

/** One organization: its people, the tenants it serves, how its people sign in, and what they did. */
export function OrganizationPage() {
  const { t } = useTranslation('organizations');
  const session = useSignedIn();
  const orgId = useParams().orgId ?? '';
  const organization = useQuery(callQuery(readOrganization, {}, { params: { orgId } }));
  const mayChange = isRootUser(session) || session.tags.includes('org-admin');
  const { data } = organization;
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconBuilding}
          title={data?.name ?? t('organization')}
          parents={[{ title: t('title'), to: '/admin/organizations/list' }]}
        >
          {data ? <EnabledMark status={data.status} label={t(`state.${data.status}`)} /> : null}
        </PageHead>
      }
    >
      <Answered query={organization}>
        {(one) => (
          <PageTabs
            tabs={[
              {
                name: 'people',
                label: t('tab.people'),
                fills: true,
                panel: <PeopleList orgId={orgId} mayChange={mayChange} />,
              },
              { name: 'tenants', label: t('tab.tenants'), panel: <TenantsOf organization={one} /> },
              {
                name: 'sign-in',
                label: t('tab.sign-in'),
                panel: <SignInSettingsForm orgId={orgId} mayChange={mayChange} />,
              },
              {
                name: 'settings',
                label: t('tab.settings'),
                panel: <OrganizationSettings key={one.name} organization={one} mayChange={mayChange} />,
              },
              { name: 'audit', label: t('tab.audit'), fills: true, panel: <AuditTable orgId={orgId} /> },
            ]}
          />
        )}
      </Answered>
    </PageLayout>
  );
}

function TenantsOf({ organization }: { readonly organization: OutputOf<typeof readOrganization> }) {
  const { t } = useTranslation('organizations');
  const session = useSignedIn();
  const canOpen = mayOpen(session, 'tenant');
  return (
    <SettingsPage>
      <SettingsSection title={t('tab.tenants')} help={t('tenantsHelp')}>
        {organization.tenants.length === 0 ? t('noTenants') : null}
        <Table verticalSpacing={6} aria-label={t('tab.tenants')}>
          <Table.Tbody>
            {organization.tenants.map((one) => (
              <Table.Tr key={one.clusterId}>
                <Table.Td>
                  {canOpen ? (
                    <Anchor component={Link} to={`/admin/tenants/${one.clusterId}`} size="sm">
                      {one.clusterName}
                    </Anchor>
                  ) : (
                    one.clusterName
                  )}
                </Table.Td>
                <Table.Td>{t(one.is_primary ? 'primary' : 'secondary')}</Table.Td>
                <Table.Td ta="right">{t('userCount', { count: one.user_count })}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </SettingsSection>
    </SettingsPage>
  );
}
