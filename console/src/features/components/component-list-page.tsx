import { Button, Select, Tooltip } from '@mantine/core';
import { IconCpu, IconListCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  type ComponentItem,
  type ComponentState,
  listComponents,
  listTenantComponents,
} from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { serverText } from '../../lib/server-text.ts';
import { useAddressParam } from '../../lib/use-address-param.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ListFrame } from '../../ui/list-frame.tsx';
import { StateMark, type StateTone } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { useComponentScope } from './use-component-scope.ts';

const LOOK_AGAIN_MS = 5000;

export const STATE_TONES: Readonly<Record<ComponentState, StateTone>> = {
  active: 'good',
  degraded: 'warn',
  down: 'bad',
  unknown: 'quiet',
};

/** Components of the platform for root; what works for the own tenant for its administrator. */
export function ComponentListPage() {
  const { t } = useTranslation('components');
  const scope = useComponentScope();
  const navigate = useNavigate();
  const [query, setQuery] = useAddressParam('q');
  const [state, setState] = useAddressParam('state');
  const extras = { every: LOOK_AGAIN_MS, quiet: true } as const;
  const all = useQuery(
    scope.tenant === null
      ? callQuery(listComponents, {}, extras)
      : callQuery(listTenantComponents, {}, { ...extras, params: { clusterId: scope.tenant } }),
  );
  const text = query.trim().toLowerCase();
  const rows = all.data?.data.filter(
    (one) =>
      (state === '' || one.state === state) &&
      [one.name, one.kind, one.hostname, one.cluster_name].some((value) =>
        value?.toLowerCase().includes(text),
      ),
  );
  const versions = new Set(all.data?.data.filter((one) => one.type !== 'datanode').map((one) => one.version));
  const columns = useMemo(
    () => componentColumns(t, scope.tenant === null, versions.size > 1),
    [t, scope.tenant, versions.size],
  );
  const list = {
    data: rows && { data: rows, total_count: rows.length },
    isPlaceholderData: false,
    isLoadingError: all.isLoadingError,
    error: all.error,
    refetch: () => all.refetch(),
  };
  return (
    <ListFrame
      icon={IconCpu}
      title={t('title')}
      name={scope.tenant === null ? 'components' : 'tenant-components'}
      list={list}
      columns={columns}
      rowId={(one) => `${one.type}/${one.id}`}
      onOpen={(one) => void navigate(scope.pathOf(one, 'health'))}
      query={query || state}
      onQuery={setQuery}
      searchLabel={t('search')}
      emptyTitle={t('none')}
      noMatch={t('noMatch')}
      actions={
        <>
          <Button
            variant="default"
            component={Link}
            to="/admin/jobs"
            leftSection={<IconListCheck size={14} aria-hidden />}
          >
            {t('jobs')}
          </Button>
          <Select
            aria-label={t('state')}
            placeholder={t('state')}
            clearable
            w={150}
            value={state || null}
            onChange={(value) => setState(value ?? '')}
            data={(['active', 'degraded', 'down'] as const).map((value) => ({
              value,
              label: t(`states.${value}`),
            }))}
          />
        </>
      }
    />
  );
}

function componentColumns(
  t: (key: string) => string,
  isPlatform: boolean,
  hasDrift: boolean,
): readonly DataColumn<ComponentItem>[] {
  const percent = (value: number | null) => (value === null ? '–' : `${value} %`);
  const machine: DataColumn<ComponentItem>[] = [
    { id: 'host', header: t('host'), width: 180, value: (one) => one.hostname },
    { id: 'address', header: t('address'), width: 140, value: (one) => one.local_address },
    { id: 'cluster', header: t('cluster'), width: 150, value: (one) => one.cluster_name ?? t('allClusters') },
    {
      id: 'cpu',
      header: t('cpu'),
      width: 90,
      align: 'right',
      value: (one) => one.metrics.cpu_pct,
      cell: (one) => percent(one.metrics.cpu_pct),
    },
    {
      id: 'memory',
      header: t('memory'),
      width: 100,
      align: 'right',
      value: (one) => one.metrics.mem_pct,
      cell: (one) => percent(one.metrics.mem_pct),
    },
    {
      id: 'disk',
      header: t('disk'),
      width: 90,
      align: 'right',
      value: (one) => one.metrics.disk_pct,
      cell: (one) => percent(one.metrics.disk_pct),
    },
  ];
  return [
    { id: 'type', header: t('type'), width: 120, value: (one) => t(`types.${one.type}`) },
    { id: 'name', header: t('name'), width: 220, value: (one) => one.name },
    {
      id: 'state',
      header: t('state'),
      width: 150,
      value: (one) => t(`states.${one.state}`),
      cell: (one) => (
        <Tooltip
          label={serverText({ ...one, message: one.detail })}
          disabled={!one.detail}
          multiline
          maw={360}
        >
          <span>
            <StateMark tone={STATE_TONES[one.state]} label={t(`states.${one.state}`)} />
          </span>
        </Tooltip>
      ),
    },
    ...(isPlatform ? machine : []),
    {
      id: 'version',
      header: t(hasDrift ? 'versionDrift' : 'version'),
      width: 140,
      value: (one) => one.version,
    },
    {
      id: 'seen',
      header: t('seen'),
      width: 200,
      value: (one) => one.last_seen,
      cell: (one) => (one.last_seen === null ? '–' : <TimeStamp time={one.last_seen} form="seconds" />),
    },
  ];
}
