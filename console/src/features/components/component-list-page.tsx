import { Button, Select, Tooltip } from '@mantine/core';
import { IconCpu, IconListCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  type ComponentItem,
  type ComponentState,
  listComponents,
  listTenantComponents,
} from '@tyrian/contract';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { formatBytes, formatCount } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ListFrame } from '../../ui/list-frame.tsx';
import { StateMark, type StateTone } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import classes from './component-health-page.module.css';
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
  const { list, hasDrift } = useComponents(query, state);
  const isPlatform = scope.tenant === null;
  const columns = useMemo(() => componentColumns(t, isPlatform, hasDrift), [t, isPlatform, hasDrift]);
  return (
    <ListFrame
      icon={IconCpu}
      title={t('title')}
      name={isPlatform ? 'components' : 'tenant-components'}
      list={list}
      columns={columns}
      rowId={(one) => `${one.type}/${one.id}`}
      onOpen={(one) => void navigate(scope.pathOf(one, 'health'))}
      query={query}
      onQuery={setQuery}
      isFiltered={state !== ''}
      searchLabel={t('search')}
      emptyTitle={t('none')}
      noMatch={t('noMatch')}
      actions={
        <Button
          variant="default"
          component={Link}
          to="/admin/jobs"
          leftSection={<IconListCheck size={14} aria-hidden />}
        >
          {t('jobs')}
        </Button>
      }
      filters={<StateSelect value={state} onChange={setState} />}
    />
  );
}

/** The components that fit the search and the state, and whether they run in different versions. */
function useComponents(query: string, state: string) {
  const { tenant } = useComponentScope();
  const extras = { every: LOOK_AGAIN_MS, quiet: true } as const;
  const all = useQuery(
    tenant === null
      ? callQuery(listComponents, {}, extras)
      : callQuery(listTenantComponents, {}, { ...extras, params: { clusterId: tenant } }),
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
  const list = {
    data: rows && { data: rows, total_count: rows.length },
    isPlaceholderData: false,
    isLoadingError: all.isLoadingError,
    error: all.error,
    refetch: () => all.refetch(),
  };
  return { list, hasDrift: versions.size > 1 };
}

interface StateSelectProps {
  readonly value: string;
  readonly onChange: (state: string) => void;
}

function StateSelect({ value, onChange }: StateSelectProps) {
  const { t } = useTranslation('components');
  const states = ['active', 'degraded', 'down'] as const;
  return (
    <Select
      aria-label={t('state')}
      placeholder={t('state')}
      clearable
      w={150}
      value={value || null}
      onChange={(next) => onChange(next ?? '')}
      data={states.map((one) => ({ value: one, label: t(`states.${one}`) }))}
    />
  );
}

type Words = (key: string) => string;

function componentColumns(
  t: Words,
  isPlatform: boolean,
  hasDrift: boolean,
): readonly DataColumn<ComponentItem>[] {
  return [
    { id: 'type', header: t('type'), width: 135, value: (one) => t(`types.${one.type}`) },
    { id: 'name', header: t('name'), width: 125, value: (one) => one.name },
    {
      id: 'state',
      header: t('state'),
      width: 150,
      value: (one) => t(`states.${one.state}`),
      cell: (one) => <StateCell one={one} label={t(`states.${one.state}`)} />,
    },
    ...(isPlatform ? machineColumns(t) : []),
    ...flowColumns(t, isPlatform),
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

/** The state; hovering says why it is so. */
function StateCell({ one, label }: { readonly one: ComponentItem; readonly label: string }) {
  return (
    <Tooltip label={serverText({ ...one, message: one.detail })} disabled={!one.detail} multiline maw={360}>
      <span>
        <StateMark tone={STATE_TONES[one.state]} label={label} />
      </span>
    </Tooltip>
  );
}

/** Where it runs and what it takes there. */
function machineColumns(t: Words): readonly DataColumn<ComponentItem>[] {
  const share = (
    id: string,
    width: number,
    read: (metrics: Metrics) => number | null,
    /** In bytes, where no share is known. */
    bytesOf: (metrics: Metrics) => number | null = () => null,
  ): DataColumn<ComponentItem> => ({
    id,
    header: t(id),
    width,
    align: 'right',
    value: ({ metrics }) => read(metrics),
    cell: ({ metrics }) => {
      const percent = read(metrics);
      if (percent !== null) return `${percent} %`;
      const bytes = bytesOf(metrics);
      return bytes === null ? '–' : formatBytes(bytes);
    },
  });
  return [
    { id: 'host', header: t('host'), width: 180, value: (one) => one.hostname },
    { id: 'address', header: t('address'), width: 140, value: (one) => one.local_address },
    { id: 'cluster', header: t('cluster'), width: 150, value: (one) => one.cluster_name ?? t('allClusters') },
    share('cpu', 80, (metrics) => metrics.cpu_pct),
    share(
      'memory',
      100,
      (metrics) => metrics.mem_pct,
      (metrics) => metrics.mem_bytes,
    ),
    share('disk', 80, (metrics) => metrics.disk_pct),
  ];
}

type Metrics = ComponentItem['metrics'];

/** What goes through it a second, what waits in it and what it lost within the hour. */
function flowColumns(t: Words, isPlatform: boolean): readonly DataColumn<ComponentItem>[] {
  const counted = (
    id: string,
    width: number,
    read: (metrics: Metrics) => number | null,
    cell?: (value: number, metrics: Metrics) => ReactNode,
  ): DataColumn<ComponentItem> => ({
    ...{ id, header: t(`columns.${id}`), width, align: 'right' },
    value: ({ metrics }) => read(metrics),
    cell: ({ metrics }) => {
      const value = read(metrics);
      if (value === null) return '–';
      return cell?.(value, metrics) ?? formatCount(value);
    },
  });
  const incoming = counted('in', 90, (metrics) => metrics.eps_in);
  const waiting = counted(
    'queue',
    110,
    (metrics) => metrics.queue,
    (value, { queue_bytes }) =>
      queue_bytes ? `${formatCount(value)} · ${formatBytes(queue_bytes)}` : formatCount(value),
  );
  if (!isPlatform) return [incoming, waiting];
  return [
    incoming,
    counted('out', 90, (metrics) => metrics.eps_out),
    waiting,
    counted(
      'dropped',
      100,
      (metrics) => metrics.dropped,
      (value) => (value > 0 ? <strong className={classes.lost}>{formatCount(value)}</strong> : '0'),
    ),
  ];
}
