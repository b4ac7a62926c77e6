import { Badge, Group, Tooltip } from '@mantine/core';
import type { CollectedSource } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { formatWholeDuration } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { shareOf } from './source-words.ts';
import styles from './sources.module.css';

type Columns = readonly DataColumn<CollectedSource>[];
type T = TFunction<'sources'>;

const MOST_CHIPS = 2;

/** The columns of collection status. */
export function useCollectionColumns(): Columns {
  const { t } = useTranslation('sources');
  const { locale } = useSettings();
  return useMemo(
    () => [...whoColumns(t), ...arrivalColumns(t, locale), ...fateColumns(t, locale), ...moreColumns(t)],
    [t, locale],
  );
}

const whoColumns = (t: T): Columns => [
  { id: 'source', header: t('columns.source'), width: 190, grows: true, value: (one) => one.source },
  {
    id: 'status',
    header: t('columns.status'),
    width: 120,
    value: (one) => one.status,
    cell: (one) => <Status source={one} t={t} />,
  },
  {
    id: 'description',
    header: t('columns.description'),
    width: 130,
    value: (one) => one.description,
    cell: (one) => one.description || '–',
  },
  {
    id: 'extractors',
    header: t('columns.extractors'),
    width: 200,
    value: (one) => one.extractors.join(),
    cell: (one) => <Chips names={one.extractors} />,
  },
  {
    id: 'streams',
    header: t('columns.streams'),
    width: 210,
    value: (one) => one.streams.join(),
    cell: (one) => <Chips names={one.streams} />,
  },
];

const arrivalColumns = (t: T, locale: string): Columns => [
  {
    id: 'last_event',
    header: t('columns.lastEvent'),
    width: 165,
    value: (one) => one.last_event,
    cell: (one) => (one.last_event === null ? '–' : <TimeStamp time={one.last_event} form="seconds" />),
  },
  {
    id: 'events_24h',
    header: t('columns.events'),
    width: 110,
    align: 'right',
    value: (one) => one.events_24h,
    cell: (one) => formatInteger(one.events_24h, locale),
  },
  {
    id: 'hours',
    header: t('columns.hours'),
    width: 130,
    cell: (one) => <Sparkline hours={one.hours} label={t('columns.hours')} />,
  },
];

const fateColumns = (t: T, locale: string): Columns => [
  {
    id: 'unparsed',
    header: t('columns.unparsed'),
    width: 95,
    align: 'right',
    value: (one) => (one.events_24h === 0 ? -1 : one.unparsed_24h / one.events_24h),
    cell: (one) => shareOf(one.unparsed_24h, one.events_24h, locale),
  },
  {
    id: 'rejected',
    header: t('columns.rejected'),
    width: 95,
    align: 'right',
    value: (one) => one.rejected_24h,
    cell: (one) => <Rejected source={one} locale={locale} />,
  },
  {
    id: 'silence',
    header: t('columns.silence'),
    width: 110,
    align: 'right',
    value: (one) => one.silence_s,
    cell: (one) => (one.silence_s === 0 ? t('never') : formatWholeDuration(one.silence_s * 1000)),
  },
];

const moreColumns = (t: T): Columns => [
  {
    id: 'kind',
    header: t('columns.kind'),
    width: 110,
    isHidden: true,
    value: (one) => one.kind,
    cell: (one) => t(`kinds.${one.kind}`, { defaultValue: one.kind }),
  },
  {
    id: 'created',
    header: t('columns.created'),
    width: 165,
    isHidden: true,
    value: (one) => one.created,
    cell: (one) => (one.created === null ? '–' : <TimeStamp time={one.created} form="seconds" />),
  },
];

export function Status({ source, t }: { readonly source: CollectedSource; readonly t: T }) {
  if (source.is_revoked) return <StateMark tone="quiet" label={t('states.revoked')} />;
  if (source.status === 'inactive')
    return <StateMark tone={source.last_event === null ? 'quiet' : 'bad'} label={t('states.inactive')} />;
  if (source.volume !== 'usual') return <StateMark tone="warn" label={t(`volumes.${source.volume}`)} />;
  return <StateMark tone="good" label={t('states.active')} />;
}

function Chips({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return '–';
  const rest = names.slice(MOST_CHIPS);
  return (
    <Group gap={4} wrap="nowrap">
      {names.slice(0, MOST_CHIPS).map((name) => (
        <Badge key={name} variant="default" tt="none" fw={500} miw={0} title={name}>
          {name}
        </Badge>
      ))}
      {rest.length > 0 && (
        <Tooltip label={rest.join(', ')} multiline maw={320}>
          <Badge variant="default" tt="none" fw={500} flex="none">
            +{rest.length}
          </Badge>
        </Tooltip>
      )}
    </Group>
  );
}

function Rejected({ source, locale }: { readonly source: CollectedSource; readonly locale: string }) {
  const words = source.reasons.map(({ reason, count }) => `${reason}: ${formatInteger(count, locale)}`);
  const number = formatInteger(source.rejected_24h, locale);
  if (words.length === 0) return number;
  return (
    <span title={words.join('\n')} className={source.rejected_24h > 0 ? styles.bad : undefined}>
      {number}
    </span>
  );
}

/** Events by hour of the last day, the running hour last. */
function Sparkline({ hours, label }: { readonly hours: readonly number[]; readonly label: string }) {
  const { locale } = useSettings();
  const most = Math.max(1, ...hours);
  const words = `${label}: ${hours.map((events) => formatInteger(events, locale)).join(', ')}`;
  return (
    <span className={styles.bars} role="img" aria-label={words} title={words}>
      {hours
        .map((events, hour) => ({ events, hour }))
        .map(({ events, hour }) => (
          <span key={hour} style={{ height: `${(events / most) * 100}%` }} />
        ))}
    </span>
  );
}
