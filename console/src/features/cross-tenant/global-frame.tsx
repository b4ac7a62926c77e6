import { Alert, Button, SegmentedControl, Select, Tabs } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SavedViews } from '../../ui/saved-views.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TypedSearch } from '../../ui/typed-search.tsx';
import classes from './global-frame.module.css';
import type { AcrossTenants, AskedPart, PlacedRow } from './use-cross-tenant.ts';

interface GlobalFrameProps<T> {
  readonly option: 'signals' | 'cases';
  readonly across: AcrossTenants<T>;
  readonly columns: readonly DataColumn<PlacedRow<T>>[];
  readonly idOf: (item: T) => string;
  readonly pathOf: (item: T) => string;
}

/** More clusters than this are chosen from a list that can be searched. */
const MOST_TABS = 8;

/** One list over all scopes: a tab per cluster, and a line that names the scopes without an answer. */
export function GlobalFrame<T>(props: GlobalFrameProps<T>) {
  const { option, across, idOf, pathOf } = props;
  const { places } = across;
  const { t } = useTranslation('cross-tenant');
  const navigate = useNavigate();
  const [query, setQuery] = useAddressParam('q');
  const [cluster, setCluster] = useAddressParam('cluster');
  const choice = { places, chosen: cluster, onChoose: setCluster };
  const isShown = (clusterId: string) => cluster === '' || clusterId === cluster;
  const rows = across.rows?.filter(({ place }) => isShown(place.clusterId));
  const total = places.reduce((sum, place) => sum + (isShown(place.clusterId) ? place.total : 0), 0);
  const failed = places.filter(({ problem }) => problem !== null);
  return (
    <PageLayout
      head={<Head option={option} shown={rows?.length ?? 0} total={total} />}
      filters={
        <>
          <TypedSearch value={query} onChange={setQuery} label={t('global.search')} />
          <ClusterSelect {...choice} />
          <SavedViews page={`global-${option}`} isOfPlatform />
        </>
      }
    >
      {failed.length > 0 ? <FailedScopes failed={failed} onRetry={across.retry} /> : null}
      <ClusterTabs {...choice} />
      <DataTable
        label={t(`global.${option}`)}
        rows={rows}
        isRefetching={across.isRefetching}
        failed={
          across.error && !across.rows ? <ErrorPanel error={across.error} onRetry={across.retry} /> : null
        }
        columns={props.columns}
        rowId={(row) => `${row.place.clusterId}/${idOf(row.item)}`}
        storageName={`global-${option}`}
        onOpen={({ place, item }) => void navigate(scopePath(place, pathOf(item)))}
        empty={
          <EmptyState
            kind={query ? 'filtered-out' : 'nothing-yet'}
            title={t(query ? 'global.noMatch' : `global.none.${option}`)}
          />
        }
      />
    </PageLayout>
  );
}

interface HeadProps {
  readonly option: 'signals' | 'cases';
  readonly shown: number;
  readonly total: number;
}

function Head({ option, shown, total }: HeadProps) {
  const { t } = useTranslation('cross-tenant');
  const { locale } = useSettings();
  const navigate = useNavigate();
  const here = useScope();
  return (
    <PageHead
      icon={IconWorld}
      title={t(`global.${option}`)}
      count={t('global.count', { shown: formatInteger(shown, locale), total: formatInteger(total, locale) })}
      actions={
        <SegmentedControl
          aria-label={t('global.option')}
          value={option}
          onChange={(value) => void navigate(scopePath(here, `/admin/global/${value}`))}
          data={[
            { value: 'signals', label: t('global.signals') },
            { value: 'cases', label: t('global.cases') },
          ]}
        />
      }
    />
  );
}

interface ClusterChoiceProps {
  readonly places: readonly AskedPart[];
  /** '': all of them. */
  readonly chosen: string;
  readonly onChoose: (clusterId: string) => void;
}

/** Each cluster once, by id and name. */
function useClusters(places: readonly AskedPart[]) {
  return useMemo(
    () => [...new Map(places.map(({ clusterId, clusterName }) => [clusterId, clusterName]))],
    [places],
  );
}

function ClusterSelect({ places, chosen, onChoose }: ClusterChoiceProps) {
  const { t } = useTranslation('cross-tenant');
  const clusters = useClusters(places);
  if (clusters.length <= MOST_TABS) return null;
  return (
    <Select
      aria-label={t('global.cluster')}
      placeholder={t('global.all')}
      searchable
      clearable
      w={220}
      value={chosen || null}
      onChange={(value) => onChoose(value ?? '')}
      data={clusters.map(([value, label]) => ({ value, label }))}
    />
  );
}

function ClusterTabs({ places, chosen, onChoose }: ClusterChoiceProps) {
  const { t } = useTranslation('cross-tenant');
  const clusters = useClusters(places);
  if (clusters.length > MOST_TABS) return null;
  return (
    <Tabs
      value={chosen || 'all'}
      onChange={(value) => onChoose(value === 'all' ? '' : (value ?? ''))}
      className={classes.tabs}
    >
      <Tabs.List>
        <Tabs.Tab value="all">{t('global.all')}</Tabs.Tab>
        {clusters.map(([id, name]) => (
          <Tabs.Tab key={id} value={id}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}

interface FailedScopesProps {
  readonly failed: readonly AskedPart[];
  readonly onRetry: () => void;
}

function FailedScopes({ failed, onRetry }: FailedScopesProps) {
  const { t } = useTranslation('cross-tenant');
  const names = failed
    .flatMap(({ clusterName, scopeNames }) => scopeNames.map((scope) => `${clusterName} / ${scope}`))
    .join(', ');
  return (
    <Alert color="red" variant="light" role="alert" p={10} m={16}>
      <span className={classes.failed}>
        {t('global.failed', { count: failed.length, names })}
        <Button variant="default" onClick={onRetry}>
          {t('ui:error.retry')}
        </Button>
      </span>
    </Alert>
  );
}

/** The columns that say where a row stands. */
export function scopeColumns<T>(t: (key: string) => string): readonly DataColumn<PlacedRow<T>>[] {
  return [
    { id: 'cluster', header: t('global.cluster'), width: 180, value: (row) => row.place.clusterName },
    { id: 'scope', header: t('global.scope'), width: 160, value: (row) => row.place.scopeName },
  ];
}
