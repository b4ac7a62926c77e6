import { useQuery } from '@tanstack/react-query';
import {
  dailyStreamDetails,
  type OutputOf,
  SILENT_INPUT_MS,
  type StreamStatus,
  signalStreamStatus,
} from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatInteger } from '../../lib/format-number.ts';
import { formatTime } from '../../lib/format-time.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { useNow } from '../../lib/use-now.ts';
import { ListPanel } from '../../ui/list-frame.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import styles from './rule-health.module.css';

type T = TFunction<'rule-health'>;
type StreamDays = OutputOf<typeof dailyStreamDetails>[number]['days'];

const DAYS = 7;
const DAY_MS = 86_400_000;

/** The streams that the scope receives or its rules read: events by day, last event, signals. */
export function StreamList() {
  const { t } = useTranslation('rule-health');
  const { clusterId, scopeId } = useScope();
  const [query, setQuery] = useAddressParam('stream');
  const extras = { params: { clusterId }, quiet: true, keep: true, every: 60_000 };
  const streams = useQuery(callQuery(signalStreamStatus, { scope_id: scopeId }, extras));
  const daily = useQuery(callQuery(dailyStreamDetails, { scope_id: scopeId, days: DAYS }, extras));
  const days = useMemo(
    () => new Map((daily.data ?? []).map((one) => [one.stream, one.days] as const)),
    [daily.data],
  );
  const columns = useStreamColumns(days);
  const text = query.trim().toLowerCase();
  const rows = streams.data?.filter(({ stream }) => stream.toLowerCase().includes(text));
  return (
    <ListPanel
      title={t('streams.tab')}
      name="signal-streams"
      list={{
        data: rows && { data: rows, total_count: rows.length },
        isPlaceholderData: streams.isPlaceholderData,
        isLoadingError: streams.isLoadingError,
        error: streams.error,
        refetch: () => streams.refetch(),
      }}
      columns={columns}
      rowId={(one) => one.stream}
      query={query}
      onQuery={setQuery}
      searchLabel={t('streams.search')}
      emptyTitle={t('streams.none')}
      emptyText={t('streams.noneText')}
      noMatch={t('streams.noMatch')}
    />
  );
}

function useStreamColumns(days: ReadonlyMap<string, StreamDays>): readonly DataColumn<StreamStatus>[] {
  const { t } = useTranslation('rule-health');
  const { locale } = useSettings();
  const now = useNow();
  return useMemo(() => {
    const figure = (id: 'events_24h' | 'signals_24h' | 'rules') => figureColumn(t, locale, id);
    const bytes = (stream: string) => (days.get(stream) ?? []).reduce((sum, day) => sum + day.raw_bytes, 0);
    return [
      { id: 'stream', header: t('streams.stream'), width: 200, grows: true, value: (one) => one.stream },
      stateColumn(t, now),
      figure('events_24h'),
      {
        id: 'days',
        header: t('streams.days'),
        width: 140,
        cell: (one) => <DayBars days={days.get(one.stream) ?? []} now={now} />,
      },
      {
        id: 'bytes',
        header: t('streams.bytes'),
        width: 120,
        align: 'right',
        value: (one) => bytes(one.stream),
        cell: (one) => formatBytes(bytes(one.stream)),
      },
      timeColumn(t, 'last_event'),
      figure('signals_24h'),
      timeColumn(t, 'last_signal'),
      figure('rules'),
    ];
  }, [t, locale, now, days]);
}

const figureColumn = (
  t: T,
  locale: string,
  id: 'events_24h' | 'signals_24h' | 'rules',
): DataColumn<StreamStatus> => ({
  id,
  header: t(`streams.${id}`),
  width: 120,
  align: 'right',
  value: (one) => one[id],
  cell: (one) => formatInteger(one[id], locale),
});

const timeColumn = (t: T, id: 'last_event' | 'last_signal'): DataColumn<StreamStatus> => ({
  id,
  header: t(`streams.${id}`),
  width: 165,
  value: (one) => one[id],
  cell: (one) => (one[id] === null ? '–' : <TimeStamp time={one[id]} form="seconds" />),
});

function stateColumn(t: T, now: number): DataColumn<StreamStatus> {
  const isSilent = (one: StreamStatus) => now - (one.last_event ?? 0) > SILENT_INPUT_MS;
  return {
    id: 'state',
    header: t('columns.state'),
    width: 120,
    value: isSilent,
    cell: (one) => (
      <StateMark
        tone={isSilent(one) ? 'warn' : 'good'}
        label={t(isSilent(one) ? 'streams.silent' : 'streams.receives')}
      />
    ),
  };
}

/** Events of the last seven days as bars, with their figures in words. */
function DayBars({ days, now }: { readonly days: StreamDays; readonly now: number }) {
  const { locale } = useSettings();
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const counts = Array.from({ length: DAYS }, (_, back) => {
    const day = today - (DAYS - 1 - back) * DAY_MS;
    return { day, events: days.find((one) => one.day === day)?.events ?? 0 };
  });
  const most = Math.max(1, ...counts.map(({ events }) => events));
  const words = counts
    .map(
      ({ day, events }) =>
        `${formatTime(day, 'seconds', 'UTC').slice(0, 10)}: ${formatInteger(events, locale)}`,
    )
    .join('\n');
  return (
    <span className={styles.bars} role="img" aria-label={words} title={words}>
      {counts.map(({ day, events }) => (
        <span key={day} style={{ height: `${(events / most) * 100}%` }} />
      ))}
    </span>
  );
}
