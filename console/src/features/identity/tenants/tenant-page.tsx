import { Button } from '@mantine/core';
import { IconBuildings, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type OutputOf, readTenant } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { isRootUser, mayOpen } from '../../../lib/landing.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { Answered } from '../../../ui/answered.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { PageLayout } from '../../../ui/page-layout.tsx';
import { PageTabs } from '../../../ui/page-tabs.tsx';
import { SettingsPage, SettingsSection } from '../../../ui/settings-section.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { clusterTabs } from './cluster-tabs.tsx';
import { PlanUsageTable } from './plan-usage-table.tsx';
import { TenantOrganizations } from './tenant-organizations.tsx';
import { TenantScopes } from './tenant-scopes.tsx';
import { TenantUsers } from './tenant-users.tsx';

/** One tenant: who may do what, its scopes and organizations, its plan, retention and audit trail. */
export function TenantPage() {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  const clusterId = useParams().clusterId ?? '';
  const tenant = useQuery(callQuery(readTenant, {}, { params: { clusterId } }));
  const entry = session.access.find((one) => one.clusterId === clusterId);
  const isRoot = isRootUser(session);
  const mayChange = isRoot || entry?.access_type === 'Administrator';
  const { data } = tenant;
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconBuildings}
          title={data?.clusterName ?? t('cluster')}
          parents={[{ title: t('title'), to: '/admin/tenants/list' }]}
          count={data ? t(`productType.${data.productType}`) : undefined}
          actions={data ? <ConfigureButton clusterId={clusterId} /> : null}
        />
      }
    >
      <Answered query={tenant}>
        {(one) => (
          <PageTabs
            tabs={[
              {
                name: 'users',
                label: t('tab.users'),
                fills: true,
                panel: <TenantUsers clusterId={clusterId} scopes={one.all_scopes} mayChange={mayChange} />,
              },
              {
                name: 'scopes',
                label: t('tab.scopes'),
                panel: <TenantScopes clusterId={clusterId} scopes={one.all_scopes} mayChange={mayChange} />,
              },
              {
                name: 'organizations',
                label: t('tab.organizations'),
                panel: <TenantOrganizations tenant={one} mayChange={isRoot} />,
              },
              { name: 'plan', label: t('tab.plan'), panel: <TenantPlan tenant={one} /> },
              ...clusterTabs(t, clusterId, mayChange),
            ]}
          />
        )}
      </Answered>
    </PageLayout>
  );
}

/** The way to the settings of the cluster, for who may open them. */
function ConfigureButton({ clusterId }: { readonly clusterId: string }) {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  if (!mayOpen(session, 'tenantConfiguration')) return null;
  return (
    <Button
      variant="default"
      component={Link}
      to={`/admin/tenants/configure/${encodeURIComponent(clusterId)}`}
      leftSection={<IconSettings size={14} aria-hidden />}
    >
      {t('configure')}
    </Button>
  );
}

function TenantPlan({ tenant }: { readonly tenant: OutputOf<typeof readTenant> }) {
  const { t } = useTranslation('tenants');
  return (
    <SettingsPage>
      <SettingsSection title={t('licence')}>
        <FactList
          facts={[
            { label: t('type'), value: t(`productType.${tenant.productType}`) },
            { label: t('licence'), value: t(`licenceType.${tenant.licenseType}`) },
            { label: t('created'), value: <TimeStamp time={tenant.created} form="seconds" /> },
            { label: t('id'), value: <span className="mono">{tenant.clusterId}</span> },
          ]}
        />
      </SettingsSection>
      <PlanUsageTable clusterId={tenant.clusterId} />
    </SettingsPage>
  );
}
