import type { ManagedStream } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';

type Columns = readonly DataColumn<ManagedStream>[];
type T = TFunction<'streams'>;

/** The columns of streams. */
export function useStreamColumns(): Columns {
  const { t } = useTranslation('streams');
  const { locale } = useSettings();
  return useMemo(
    () => [...nameColumns(t), ...volumeColumns(t, locale), ...readerColumns(t, locale)],
    [t, locale],
  );
}

const nameColumns = (t: T): Columns => [
  { id: 'stream', header: t('columns.stream'), width: 180, grows: true, value: (one) => one.stream },
  {
    id: 'state',
    header: t('columns.state'),
    width: 110,
    value: (one) => one.is_online,
    cell: (one) => (
      <StateMark tone={one.is_online ? 'good' : 'quiet'} label={t(one.is_online ? 'online' : 'offline')} />
    ),
  },
];

const bytes = (t: T, id: 'raw_bytes' | 'enriched_bytes' | 'disk_bytes'): Columns[number] => ({
  id,
  header: t(`columns.${id}`),
  width: 115,
  align: 'right',
  value: (one) => one[id],
  cell: (one) => formatBytes(one[id]),
});

const volumeColumns = (t: T, locale: string): Columns => [
  {
    id: 'events',
    header: t('columns.events'),
    width: 110,
    align: 'right',
    value: (one) => one.events,
    cell: (one) => formatInteger(one.events, locale),
  },
  bytes(t, 'raw_bytes'),
  bytes(t, 'enriched_bytes'),
  bytes(t, 'disk_bytes'),
  {
    id: 'compression',
    header: t('columns.compression'),
    width: 120,
    align: 'right',
    value: (one) => one.compression_pct,
    cell: (one) =>
      `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(one.compression_pct)} %`,
  },
];

const readerColumns = (t: T, locale: string): Columns => [
  {
    id: 'workbooks',
    header: t('columns.workbooks'),
    width: 165,
    align: 'right',
    value: (one) => one.active_wb,
    cell: (one) => (
      <span
        title={t('readers', {
          streamed: formatInteger(one.streamed_wb, locale),
          scheduled: formatInteger(one.scheduled_wb, locale),
        })}
      >
        {formatInteger(one.active_wb, locale)} / {formatInteger(one.total_wb, locale)}
      </span>
    ),
  },
  {
    id: 'last_event',
    header: t('columns.lastEvent'),
    width: 165,
    value: (one) => one.last_event,
    cell: (one) => (one.last_event === null ? '–' : <TimeStamp time={one.last_event} form="seconds" />),
  },
  {
    id: 'retention',
    header: t('columns.retention'),
    width: 130,
    align: 'right',
    value: (one) => one.retention_days ?? Number.MAX_SAFE_INTEGER,
    cell: (one) => (one.retention_days === null ? t('unlimited') : t('days', { count: one.retention_days })),
  },
];
