import { Button, Group, NumberInput, Skeleton, Text } from '@mantine/core';
import { IconChartBar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type OutputOf, readUtilization, saveSubscription } from '@tyrian/contract';
import { type FormEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatInteger } from '../../lib/format-number.ts';
import { notify } from '../../lib/notify.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { PlanUsageTable } from '../identity/public.ts';
import { Ranked } from './stream-flyout.tsx';
import styles from './streams.module.css';
import { VolumeBars } from './volume-bars.tsx';

type Utilization = OutputOf<typeof readUtilization>;
type Day = Utilization['days'][number];

const MIB = 1_048_576;

/** What the tenant sent in a month against what it subscribed to. */
export function UtilizationPage() {
  const { t } = useTranslation('streams');
  const { clusterId } = useScope();
  const [month, setMonth] = useAddressParam('month');
  const input = /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? { month } : {};
  const extras = { params: { clusterId }, quiet: true, keep: true };
  const usage = useQuery(callQuery(readUtilization, input, extras));
  const shown = usage.data;
  return (
    <PageLayout
      scrolls
      head={
        <PageHead
          icon={IconChartBar}
          title={t('usage.title')}
          actions={shown && <MonthChoice month={shown.month} onMonth={setMonth} />}
        />
      }
    >
      <div className={styles.page}>
        {usage.isPending && <Skeleton height={320} />}
        {usage.isLoadingError && (
          <ErrorPanel title={t('usage.failed')} error={usage.error} onRetry={() => void usage.refetch()} />
        )}
        {shown && (
          <>
            <Month usage={shown} />
            <Subscription key={shown.subscribed_bytes} usage={shown} />
            <div className={styles.days}>
              <DayTable usage={shown} />
            </div>
            <div className={styles.columns}>
              <Ranked title={t('bySource')} rows={shown.sources.map(sourceRow)} />
              <Ranked title={t('byStream')} rows={shown.streams.map(streamRow)} />
            </div>
            <PlanUsageTable clusterId={clusterId} />
          </>
        )}
      </div>
    </PageLayout>
  );
}

const sourceRow = (one: Utilization['sources'][number]) => ({
  name: `${one.source} · ${one.scope_name}`,
  events: one.events,
  bytes: one.raw_bytes,
});
const streamRow = (one: Utilization['streams'][number]) => ({
  name: one.stream,
  events: one.events,
  bytes: one.raw_bytes,
});

interface MonthChoiceProps {
  readonly month: string;
  readonly onMonth: (month: string) => void;
}

function MonthChoice({ month, onMonth }: MonthChoiceProps) {
  const { t } = useTranslation('streams');
  const now = new Date().toISOString().slice(0, 7);
  const moved = (by: number) => {
    const [year = 1970, number = 1] = month.split('-').map(Number);
    const next = new Date(Date.UTC(year, number - 1 + by)).toISOString().slice(0, 7);
    onMonth(next === now ? '' : next);
  };
  return (
    <Group gap={4} wrap="nowrap">
      <IconButton label={t('usage.previous')} variant="default" size={30} onClick={() => moved(-1)}>
        <IconChevronLeft size={16} />
      </IconButton>
      <Text size="sm" className={styles.month}>
        {month}
      </Text>
      <IconButton
        label={t('usage.next')}
        variant="default"
        size={30}
        disabled={month >= now}
        onClick={() => moved(1)}
      >
        <IconChevronRight size={16} />
      </IconButton>
    </Group>
  );
}

function Month({ usage }: { readonly usage: Utilization }) {
  const { t } = useTranslation('streams');
  const { subscribed_bytes: subscribed, buffer_bytes: buffer } = usage;
  const lines =
    subscribed === null || buffer === null
      ? []
      : [
          { name: t('usage.figures.subscribed'), value: subscribed },
          { name: t('usage.buffer'), value: buffer },
        ];
  const days = usage.days.map((day) => ({
    day: day.day,
    value: day.raw_bytes,
    isOver: day.excess_day !== null,
  }));
  return (
    <section className={styles.section} aria-label={usage.month}>
      <Figures usage={usage} />
      <VolumeBars label={t('usage.figures.raw')} days={days} lines={lines} from={usage.from} to={usage.to} />
      <Text size="xs" c="dimmed">
        {t('usage.rule')}
      </Text>
    </section>
  );
}

function Figures({ usage }: { readonly usage: Utilization }) {
  const { t } = useTranslation('streams');
  const { locale } = useSettings();
  const number = (value: number) => formatInteger(value, locale);
  const { subscribed_bytes: subscribed, excess_days: excess, free_excess_days: free } = usage;
  const figures = [
    ['raw', formatBytes(usage.raw_bytes)],
    ['subscribed', subscribed === null ? t('usage.nothingAgreed') : formatBytes(subscribed)],
    ['excess', `${number(excess)} / ${number(free)}`],
    ['overage', formatBytes(usage.overage_bytes)],
    ['billed', formatBytes(usage.billed_bytes)],
    ['disk', formatBytes(usage.disk_bytes)],
  ] as const;
  return (
    <div className={styles.strip}>
      {figures.map(([name, value]) => (
        <div key={name} className={styles.total}>
          <strong>{value}</strong>
          <Text span size="xs" c="dimmed">
            {t(`usage.figures.${name}`)}
          </Text>
        </div>
      ))}
    </div>
  );
}

/** Root says what is agreed. */
function Subscription({ usage }: { readonly usage: Utilization }) {
  const { t } = useTranslation('streams');
  const { clusterId } = useScope();
  const { tags } = useSignedIn();
  const known = usage.subscribed_bytes === null ? '' : usage.subscribed_bytes / MIB;
  const [size, setSize] = useState<number | ''>(known);
  const save = useCallMutation(saveSubscription, { stale: [readUtilization] });
  if (!tags.includes('root')) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const subscribed_bytes = size === '' ? null : Math.round(size * MIB);
    save.mutate(
      { params: { clusterId }, input: { subscribed_bytes } },
      { onSuccess: () => notify('done', t('usage.saved')) },
    );
  };
  return (
    <form onSubmit={submit}>
      <Group gap={8} align="end">
        <NumberInput
          label={t('usage.subscription')}
          min={1}
          value={size}
          onChange={(next) => setSize(typeof next === 'number' ? next : '')}
        />
        <Button type="submit" variant="default" loading={save.isPending} disabled={size === known}>
          {t('usage.save')}
        </Button>
      </Group>
    </form>
  );
}

function DayTable({ usage }: { readonly usage: Utilization }) {
  const { t } = useTranslation('streams');
  const { clusterId } = useScope();
  const columns = useDayColumns(usage.subscribed_bytes);
  const newestFirst = useMemo(() => [...usage.days].reverse(), [usage.days]);
  return (
    <DataTable
      label={t('usage.days')}
      rows={newestFirst}
      columns={columns}
      rowId={(day) => String(day.day)}
      storageName="utilization"
      exported={{ entity: 'usage', clusterId, selection: { query: usage.month } }}
      empty={<EmptyState kind="nothing-yet" title={t('nothing')} />}
    />
  );
}

type Columns = readonly DataColumn<Day>[];

function useDayColumns(subscribed: number | null): Columns {
  const { t } = useTranslation('streams');
  const { locale } = useSettings();
  return useMemo(() => {
    const agreed = subscribed === null ? '–' : formatBytes(subscribed);
    const number = (value: number) => formatInteger(value, locale);
    const bytes = (id: 'raw_bytes' | 'overage_bytes' | 'billed_bytes'): Columns[number] => ({
      ...{ id, header: t(`usage.columns.${id}`), width: 100, align: 'right' },
      value: (day) => day[id],
      cell: (day) => formatBytes(day[id]),
    });
    return [
      {
        ...{ id: 'day', header: t('usage.columns.day'), width: 95 },
        value: (day) => day.day,
        cell: (day) => new Date(day.day).toISOString().slice(0, 10),
      },
      {
        ...{ id: 'subscribed', header: t('usage.columns.subscribed'), width: 95, align: 'right' },
        cell: () => agreed,
      },
      bytes('raw_bytes'),
      {
        ...{ id: 'events', header: t('columns.events'), width: 120, align: 'right' },
        value: (day) => day.events,
        cell: (day) => number(day.events),
      },
      bytes('overage_bytes'),
      bytes('billed_bytes'),
      {
        ...{ id: 'remark', header: t('usage.columns.remark'), width: 200, grows: true },
        cell: ({ excess_day: excess }) =>
          excess === null ? '' : t('usage.excessDay', { number: number(excess) }),
      },
    ];
  }, [t, locale, subscribed]);
}
