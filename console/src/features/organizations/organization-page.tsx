import { Anchor, Table, Tabs } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type OutputOf, readOrganization } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { mayOpen } from '../../lib/landing.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SettingsPage, SettingsSection } from '../../ui/settings-section.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { AuditTable } from '../audit/public.ts';
import classes from './organization-page.module.css';
import { OrganizationSettings } from './organization-settings.tsx';
import { PeopleList } from './people-list.tsx';
import { SignInSettingsForm } from './sign-in-settings-form.tsx';

const TABS = ['people', 'tenants', 'sign-in', 'settings', 'audit'] as const;

/** One organization: its people, the tenants it serves, how its people sign in, and what they did. */
export function OrganizationPage() {
  const { t } = useTranslation('organizations');
  const { tags } = useSignedIn();
  const navigate = useNavigate();
  const orgId = useParams().orgId ?? '';
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((one) => one === params.get('tab')) ?? 'people';
  const organization = useQuery(callQuery(readOrganization, {}, { params: { orgId } }));
  const mayChange = tags.some((tag) => tag === 'root' || tag === 'root-init' || tag === 'org-admin');
  const { data } = organization;
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconBuilding}
          title={data?.name ?? t('organization')}
          parent={{ title: t('title'), to: '/admin/organizations/list' }}
        >
          {data ? (
            <StateMark
              tone={data.status === 'enabled' ? 'good' : 'quiet'}
              label={t(`state.${data.status}`)}
            />
          ) : null}
        </PageHead>
      }
    >
      {organization.isLoadingError ? (
        <ErrorPanel error={organization.error} onRetry={() => void organization.refetch()} />
      ) : null}
      {data ? (
        <Tabs
          value={tab}
          onChange={(value) =>
            setParams(value && value !== 'people' ? { tab: value } : {}, { replace: true })
          }
          className={classes.tabs}
        >
          <Tabs.List>
            {TABS.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {t(`tab.${one}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="people" className={classes.fill}>
            <PeopleList orgId={orgId} mayChange={mayChange} />
          </Tabs.Panel>
          <Tabs.Panel value="tenants" className={classes.panel}>
            <TenantsOf organization={data} />
          </Tabs.Panel>
          <Tabs.Panel value="sign-in" className={classes.panel}>
            <SignInSettingsForm orgId={orgId} mayChange={mayChange} />
          </Tabs.Panel>
          <Tabs.Panel value="settings" className={classes.panel}>
            <OrganizationSettings
              key={data.name}
              organization={data}
              mayChange={mayChange}
              onDeleted={() => void navigate('/admin/organizations/list')}
            />
          </Tabs.Panel>
          <Tabs.Panel value="audit" className={classes.fill}>
            <AuditTable orgId={orgId} />
          </Tabs.Panel>
        </Tabs>
      ) : null}
    </PageLayout>
  );
}

function TenantsOf({ organization }: { readonly organization: OutputOf<typeof readOrganization> }) {
  const { t } = useTranslation('organizations');
  const session = useSignedIn();
  const canOpen = mayOpen(session, 'S2-25');
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
