import { Button, Tabs } from '@mantine/core';
import { IconBuildings, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { readTenant } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router';
import { mayOpen } from '../../lib/landing.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SettingsPage, SettingsSection } from '../../ui/settings-section.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { AuditTable } from '../audit/public.ts';
import classes from './cluster-page.module.css';
import { PlanUsageTable } from './plan-usage-table.tsx';
import { RetentionTable } from './retention-table.tsx';
import { TenantOrganizations } from './tenant-organizations.tsx';
import { TenantScopes } from './tenant-scopes.tsx';
import { TenantUsers } from './tenant-users.tsx';

const TABS = ['users', 'scopes', 'organizations', 'plan', 'retention', 'audit'] as const;

/** One tenant: who may do what, its scopes and organizations, its plan, retention and audit trail. */
export function TenantPage() {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  const clusterId = useParams().clusterId ?? '';
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((one) => one === params.get('tab')) ?? 'users';
  const tenant = useQuery(callQuery(readTenant, {}, { params: { clusterId } }));
  const entry = session.access.find((one) => one.clusterId === clusterId);
  const isRoot = session.user.AllAccessData.isRoot && !session.user.AllAccessData.isRootViewer;
  const mayChange = isRoot || entry?.access_type === 'Administrator';
  const { data } = tenant;
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconBuildings}
          title={data?.clusterName ?? t('cluster')}
          parent={{ title: t('title'), to: '/admin/tenants/list' }}
          count={data ? t(`productType.${data.productType}`) : undefined}
          actions={
            data && mayOpen(session, 'S2-24') ? (
              <Button
                variant="default"
                component={Link}
                to={`/admin/tenants/configure/${encodeURIComponent(clusterId)}`}
                leftSection={<IconSettings size={14} aria-hidden />}
              >
                {t('configure')}
              </Button>
            ) : null
          }
        />
      }
    >
      {tenant.isLoadingError ? (
        <ErrorPanel error={tenant.error} onRetry={() => void tenant.refetch()} />
      ) : null}
      {data ? (
        <Tabs
          value={tab}
          onChange={(value) => setParams(value && value !== 'users' ? { tab: value } : {}, { replace: true })}
          className={classes.tabs}
        >
          <Tabs.List>
            {TABS.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {t(`tab.${one}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="users" className={classes.fill}>
            <TenantUsers clusterId={clusterId} scopes={data.all_scopes} mayChange={mayChange} />
          </Tabs.Panel>
          <Tabs.Panel value="scopes" className={classes.panel}>
            <TenantScopes clusterId={clusterId} scopes={data.all_scopes} mayChange={mayChange} />
          </Tabs.Panel>
          <Tabs.Panel value="organizations" className={classes.panel}>
            <TenantOrganizations tenant={data} mayChange={isRoot} />
          </Tabs.Panel>
          <Tabs.Panel value="plan" className={classes.panel}>
            <SettingsPage>
              <SettingsSection title={t('licence')}>
                <FactList
                  facts={[
                    { label: t('type'), value: t(`productType.${data.productType}`) },
                    { label: t('licence'), value: t(`licenceType.${data.licenseType}`) },
                    { label: t('created'), value: <TimeStamp time={data.created} form="longDate" /> },
                    { label: t('id'), value: <span className="mono">{data.clusterId}</span> },
                  ]}
                />
              </SettingsSection>
              <PlanUsageTable clusterId={clusterId} />
            </SettingsPage>
          </Tabs.Panel>
          <Tabs.Panel value="retention" className={classes.panel}>
            <RetentionTable clusterId={clusterId} mayChange={mayChange} />
          </Tabs.Panel>
          <Tabs.Panel value="audit" className={classes.fill}>
            <AuditTable clusterId={clusterId} />
          </Tabs.Panel>
        </Tabs>
      ) : null}
    </PageLayout>
  );
}
