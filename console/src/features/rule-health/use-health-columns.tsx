import { Badge, Group } from '@mantine/core';
import type { RuleHealthItem } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { formatDuration, formatWholeDuration } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { decimal, shareText } from './rule-health-words.ts';
import { firstColumns, reasonColumn } from './use-run-columns.tsx';

type Columns = readonly DataColumn<RuleHealthItem>[];
type T = TFunction<'rule-health'>;

/** The columns of rule health: cost, noise, silence. */
export function useHealthColumns(): Columns {
  const { t } = useTranslation('rule-health');
  const { locale } = useSettings();
  return useMemo(
    () => [
      ...firstColumns(t),
      ...costColumns(t, locale),
      ...noiseColumns(t, locale),
      ...inputColumns(t, locale),
      reasonColumn(t),
    ],
    [t, locale],
  );
}

const costColumns = (t: T, locale: string): Columns => [
  {
    id: 'lag_ms',
    header: t('columns.lag'),
    width: 90,
    align: 'right',
    value: (rule) => rule.lag_ms,
    cell: (rule) => formatWholeDuration(rule.lag_ms),
  },
  {
    id: 'cpu_ms_day',
    header: t('columns.cpu'),
    width: 160,
    align: 'right',
    value: (rule) => rule.cpu_ms_day,
    cell: (rule) => `${formatDuration(rule.cpu_ms_day)} · ${shareText(rule.cpu_share, locale)}`,
  },
];

const noiseColumns = (t: T, locale: string): Columns => [
  {
    id: 'signals',
    header: t('columns.signalsDay'),
    width: 110,
    align: 'right',
    value: (rule) => rule.signals,
    cell: (rule) => decimal(rule.signals_day, locale),
  },
  {
    id: 'false_positive_share',
    header: t('columns.falsePositives'),
    width: 120,
    align: 'right',
    value: (rule) => rule.false_positive_share,
    cell: (rule) => shareText(rule.false_positive_share, locale),
  },
  {
    id: 'open_share',
    header: t('columns.open'),
    width: 120,
    align: 'right',
    value: (rule) => rule.open_share,
    cell: (rule) => shareText(rule.open_share, locale),
  },
  {
    id: 'last_true_positive',
    header: t('columns.lastTruePositive'),
    width: 165,
    value: (rule) => rule.last_true_positive,
    cell: (rule) =>
      rule.last_true_positive === null ? '–' : <TimeStamp time={rule.last_true_positive} form="seconds" />,
  },
];

const inputColumns = (t: T, locale: string): Columns => [
  {
    id: 'silent',
    header: t('columns.silent'),
    width: 150,
    value: (rule) => rule.silent_streams.length,
    cell: (rule) => <SilentInputs rule={rule} t={t} />,
  },
  {
    id: 'tuning_open',
    header: t('columns.tuning'),
    width: 90,
    align: 'right',
    value: (rule) => rule.tuning_open,
    cell: (rule) => formatInteger(rule.tuning_open, locale),
  },
];

function SilentInputs({ rule, t }: { readonly rule: RuleHealthItem; readonly t: T }) {
  const { silent_streams, misses_fields } = rule;
  if (silent_streams.length === 0 && !misses_fields) return '–';
  return (
    <Group gap={4} wrap="nowrap">
      {silent_streams.map((stream) => (
        <Badge key={stream} variant="default" tt="none" fw={500}>
          {stream === '*' ? t('anyStream') : stream}
        </Badge>
      ))}
      {misses_fields && (
        <Badge variant="default" tt="none" fw={500}>
          {t('missesFields')}
        </Badge>
      )}
    </Group>
  );
}
