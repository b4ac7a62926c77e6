import { Button, SegmentedControl, Text } from '@mantine/core';
import { IconHourglass, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listSlowQueries, SLOW_AFTER_S, SLOW_QUEUES, type SlowQuery, stopSlowQuery } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatInteger } from '../../lib/format-number.ts';
import { formatDuration } from '../../lib/format-time.ts';
import { notify } from '../../lib/notify.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { useNow } from '../../lib/use-now.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';

type T = TFunction<'slow-queries'>;

const AGAIN_MS = 15_000;

/** Searches over the limit of their queue, and stopping them. */
export function SlowQueriesPage() {
  const { t } = useTranslation('slow-queries');
  const { locale } = useSettings();
  const { list, queue, setQueue } = useSlowQueries();
  const columns = useSlowColumns();
  const rows = list.data?.queries;
  const limits = SLOW_QUEUES.map((name) =>
    t('limit', { queue: t(`queues.${name}`), time: formatDuration(SLOW_AFTER_S[name] * 1000) }),
  ).join(' · ');
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconHourglass}
          title={t('title')}
          count={rows && formatInteger(rows.length, locale)}
          actions={
            <Refresh
              answeredMs={Math.max(list.dataUpdatedAt, list.errorUpdatedAt)}
              onRefresh={() => void list.refetch()}
            />
          }
        />
      }
      filters={
        <>
          <QueueChoice queue={queue ?? ''} onQueue={setQueue} />
          <Text size="xs" c="dimmed">
            {limits}
          </Text>
        </>
      }
    >
      <DataTable
        label={t('title')}
        rows={rows}
        columns={columns}
        rowId={(one) => one.task_id}
        storageName="slow-queries"
        isRefetching={list.isPlaceholderData}
        failed={
          list.isLoadingError ? (
            <ErrorPanel title={t('failed')} error={list.error} onRetry={() => void list.refetch()} />
          ) : undefined
        }
        empty={<EmptyState kind="nothing-yet" title={t('none')} text={limits} />}
      />
    </PageLayout>
  );
}

interface QueueChoiceProps {
  readonly queue: string;
  readonly onQueue: (queue: string) => void;
}

function QueueChoice({ queue, onQueue }: QueueChoiceProps) {
  const { t } = useTranslation('slow-queries');
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('columns.queue')}
      value={queue}
      onChange={onQueue}
      data={[
        { value: '', label: t('all') },
        ...SLOW_QUEUES.map((value) => ({ value, label: t(`queues.${value}`) })),
      ]}
    />
  );
}

/** The list that the address asks for. */
function useSlowQueries() {
  const { clusterId, scopeId } = useScope();
  const [name, setQueue] = useAddressParam('queue');
  const queue = SLOW_QUEUES.find((one) => one === name);
  const input = { scope_id: scopeId, ...(queue ? { queue } : {}) };
  const extras = { params: { clusterId }, quiet: true, keep: true, every: AGAIN_MS };
  return { list: useQuery(callQuery(listSlowQueries, input, extras)), queue, setQueue };
}

interface RefreshProps {
  /** When the last answer came, or failed to. */
  readonly answeredMs: number;
  readonly onRefresh: () => void;
}

/** Asks again, and says in how many seconds it does so by itself. */
function Refresh({ answeredMs, onRefresh }: RefreshProps) {
  const { t } = useTranslation('slow-queries');
  const now = useNow(1_000);
  const seconds = Math.max(0, Math.ceil((answeredMs + AGAIN_MS - now) / 1000));
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={14} aria-hidden />}
      onClick={onRefresh}
      aria-label={t('refresh')}
    >
      {t('refreshIn', { count: seconds })}
    </Button>
  );
}

function useSlowColumns(): readonly DataColumn<SlowQuery>[] {
  const { t } = useTranslation('slow-queries');
  const { locale } = useSettings();
  return useMemo(() => [...askedColumns(t), ...costColumns(t, locale)], [t, locale]);
}

const askedColumns = (t: T): readonly DataColumn<SlowQuery>[] => [
  { id: 'query', header: t('columns.query'), width: 240, grows: true, value: (one) => one.query },
  { id: 'initiator', header: t('columns.initiator'), width: 150, value: (one) => one.initiator },
  {
    id: 'queue',
    header: t('columns.queue'),
    width: 115,
    value: (one) => one.queue,
    cell: (one) => t(`queues.${one.queue}`, { defaultValue: one.queue }),
  },
  {
    id: 'reason',
    header: t('columns.reason'),
    width: 170,
    value: (one) => one.is_waiting,
    cell: (one) => t(one.is_waiting ? 'waiting' : 'running', { share: `${Math.round(one.share * 100)} %` }),
  },
  {
    id: 'started',
    header: t('columns.started'),
    width: 165,
    value: (one) => one.started,
    cell: (one) => <TimeStamp time={one.started} form="seconds" />,
  },
];

const costColumns = (t: T, locale: string): readonly DataColumn<SlowQuery>[] => [
  {
    id: 'elapsed',
    header: t('columns.elapsed'),
    width: 110,
    align: 'right',
    value: (one) => one.elapsed_ms,
    cell: (one) => formatDuration(one.elapsed_ms),
  },
  {
    id: 'rows_read',
    header: t('columns.rows'),
    width: 115,
    align: 'right',
    value: (one) => one.rows_read,
    cell: (one) => formatInteger(one.rows_read, locale),
  },
  {
    id: 'bytes_read',
    header: t('columns.bytes'),
    width: 110,
    align: 'right',
    value: (one) => one.bytes_read,
    cell: (one) => formatBytes(one.bytes_read),
  },
  { id: 'stop', header: t('stop'), width: 190, cell: (one) => <StopButton query={one} /> },
];

/** Analysts stop their own searches, engineers anybody's. */
function StopButton({ query }: { readonly query: SlowQuery }) {
  const { t } = useTranslation('slow-queries');
  const { clusterId, scopeId } = useScope();
  const { tags } = useSignedIn();
  const stop = useCallMutation(stopSlowQuery, { stale: [listSlowQueries] });
  if (!query.is_own && !tags.includes('engineer')) return null;
  const onConfirm = () =>
    stop.mutate(
      { params: { clusterId }, input: { scope_id: scopeId, task_id: query.task_id } },
      { onSuccess: () => notify('done', t('stopped')) },
    );
  const question = { title: t('stopTitle', { initiator: query.initiator }), consequence: t('stopText') };
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={stop.isPending}
      leftSection={<IconPlayerStop size={12} aria-hidden />}
      onClick={() => askToConfirm({ ...question, confirmLabel: t('stop'), onConfirm })}
    >
      {t('stop')}
    </Button>
  );
}
