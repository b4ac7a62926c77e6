import { IconRocket } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { clusterSummary, type OutputOf } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { formatBytes, formatCount } from '../../../lib/format-number.ts';
import { isRootUser, mayOpen } from '../../../lib/landing.ts';
import { scopePath } from '../../../lib/scope-path.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { Answered } from '../../../ui/answered.tsx';
import { type Fact, FactList } from '../../../ui/fact-list.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { PageLayout } from '../../../ui/page-layout.tsx';
import { PageTabs } from '../../../ui/page-tabs.tsx';
import { SettingsPage, SettingsSection } from '../../../ui/settings-section.tsx';
import { StateMark } from '../../../ui/state-mark.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { ClusterSettings } from './cluster-settings.tsx';
import { clusterTabs } from './cluster-tabs.tsx';
import { problemText, STATE_TONES } from './fleet-page.tsx';

const LOOK_AGAIN_MS = 30_000;

type Summary = OutputOf<typeof clusterSummary>;

/** One cluster for root: what it does, its settings, how long events are kept, its audit trail. */
export function ClusterPage() {
  const { t } = useTranslation('tenants');
  const clusterId = useParams().id ?? '';
  const navigate = useNavigate();
  const summary = useQuery(callQuery(clusterSummary, {}, { params: { clusterId }, every: LOOK_AGAIN_MS }));
  const isRoot = isRootUser(useSignedIn());
  const { data } = summary;
  const { title, parents, list } = usePlace(clusterId, data?.clusterName ?? t('cluster'));
  return (
    <PageLayout
      head={
        <PageHead icon={IconRocket} title={title} parents={parents}>
          {data ? <StateMark tone={STATE_TONES[data.state]} label={t(`state.${data.state}`)} /> : null}
        </PageHead>
      }
    >
      <Answered query={summary}>
        {(one) => (
          <PageTabs
            tabs={[
              {
                name: 'settings',
                label: t('tab.settings'),
                panel: (
                  <ClusterSettings
                    summary={one}
                    mayChange={isRoot}
                    onRemoved={() => void navigate(list.to)}
                  />
                ),
              },
              { name: 'summary', label: t('tab.summary'), panel: <ClusterFigures summary={one} /> },
              ...clusterTabs(t, clusterId, isRoot),
            ]}
          />
        )}
      </Answered>
    </PageLayout>
  );
}

/** Where the page stands: in Mission Control, or, as the settings of a tenant, below the page of that. */
function usePlace(clusterId: string, name: string) {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  const { clusterId: ownCluster, scope_id: scopeId } = session.user;
  const isMissionControl = window.location.hash.includes('/admin/clusters/');
  const list =
    isMissionControl && mayOpen(session, 'clusters')
      ? { title: t('fleet.title'), to: scopePath({ clusterId: ownCluster, scopeId }, '/admin/clusters') }
      : { title: t('title'), to: '/admin/tenants/list' };
  if (isMissionControl) return { title: name, parents: [list], list };
  const tenant = { title: name, to: `/admin/tenants/${clusterId}` };
  return { title: t('configure'), parents: [list, tenant], list };
}

function ClusterFigures({ summary }: { readonly summary: Summary }) {
  const { t } = useTranslation('tenants');
  const count = (value: number | null) => (value === null ? '–' : formatCount(value));
  const time = (value: number | null) => (value === null ? '–' : <TimeStamp time={value} form="seconds" />);
  const facts: Fact[] = [
    { label: t('figure.events'), value: count(summary.events) },
    { label: t('fleet.events'), value: count(summary.events_24h) },
    { label: t('fleet.disk'), value: summary.disk_bytes === null ? '–' : formatBytes(summary.disk_bytes) },
    { label: t('figure.first'), value: time(summary.first_event) },
    { label: t('fleet.last'), value: time(summary.last_event) },
    { label: t('figure.cases'), value: count(summary.open_cases) },
    { label: t('figure.signals'), value: count(summary.pending_signals) },
    { label: t('scopes'), value: count(summary.scope_count) },
    { label: t('users'), value: count(summary.user_count) },
    { label: t('administrators'), value: count(summary.admin_count) },
  ];
  return (
    <SettingsPage>
      {summary.problem ? <p role="alert">{t('figure.problem', { reason: problemText(summary) })}</p> : null}
      <SettingsSection title={t('tab.summary')}>
        <FactList facts={facts} />
      </SettingsSection>
      <SettingsSection title={t('figure.streams')}>
        <FactList
          facts={summary.streams.map((one) => ({ label: one.stream, value: formatCount(one.events) }))}
        />
      </SettingsSection>
    </SettingsPage>
  );
}
