import { Text } from '@mantine/core';
import type { RuleHealthItem } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { formatDuration, formatWholeDuration } from '../../lib/format-time.ts';
import { serverText } from '../../lib/server-text.ts';
import { useSettings } from '../../lib/settings.ts';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { RuleStateChip } from '../detections/public.ts';

type Columns = readonly DataColumn<RuleHealthItem>[];
type T = TFunction<'rule-health'>;

/** Name and state, with which every list of rules begins. */
export const firstColumns = (t: T): Columns => [
  { id: 'name', header: t('columns.name'), width: 240, grows: true, value: (rule) => rule.name },
  {
    id: 'state',
    header: t('columns.state'),
    width: 120,
    value: (rule) => rule.state,
    cell: (rule) => <RuleStateChip state={rule.state} />,
  },
];

/** Why a rule does not work: what set it aside, or its last error. */
export function reasonText({ quarantine, error }: Pick<RuleHealthItem, 'quarantine' | 'error'>): string {
  const said = quarantine ?? error;
  return said ? serverText(said) : '';
}

export const reasonColumn = (t: T): DataColumn<RuleHealthItem> => ({
  id: 'reason',
  header: t('columns.reason'),
  width: 280,
  cell: (rule) => {
    const reason = reasonText(rule);
    return reason === '' ? '–' : <span title={reason}>{reason}</span>;
  },
});

const time = (
  t: T,
  id: 'last_run' | 'next_run' | 'covered_until',
  value: (rule: RuleHealthItem) => number | null,
): DataColumn<RuleHealthItem> => ({
  id,
  header: t(`columns.${id}`),
  width: 165,
  ...(id === 'covered_until' ? {} : { value }),
  cell: (rule) => {
    const stamp = value(rule);
    return stamp === null ? '–' : <TimeStamp time={stamp} form="seconds" />;
  },
});

const figure = (
  t: T,
  locale: string,
  id: 'runs' | 'failures' | 'signals',
  tone?: (rule: RuleHealthItem) => string | undefined,
): DataColumn<RuleHealthItem> => ({
  id,
  header: t(`columns.${id}`),
  width: 100,
  align: 'right',
  value: (rule) => rule[id],
  cell: (rule) => (
    <Text span inherit c={tone?.(rule)}>
      {formatInteger(rule[id], locale)}
    </Text>
  ),
});

/** The columns of the list of runs. */
export function useRunColumns(): Columns {
  const { t } = useTranslation('rule-health');
  const { locale } = useSettings();
  return useMemo(() => {
    const number = (value: number) => formatInteger(value, locale);
    return [
      ...firstColumns(t),
      time(t, 'covered_until', (rule) => rule.covered_until),
      {
        id: 'lag_ms',
        header: t('columns.lag'),
        width: 90,
        align: 'right',
        value: (rule) => rule.lag_ms,
        cell: (rule) => formatWholeDuration(rule.lag_ms),
      },
      figure(t, locale, 'runs'),
      figure(t, locale, 'failures', (rule) => (rule.failures > 0 ? 'var(--bad)' : undefined)),
      {
        id: 'gaps',
        header: t('columns.gaps'),
        width: 110,
        align: 'right',
        cell: (rule) => (rule.gaps === 0 ? '0' : `${number(rule.gaps)} · ${formatDuration(rule.gap_ms)}`),
      },
      {
        id: 'reruns',
        header: t('columns.reruns'),
        width: 100,
        align: 'right',
        cell: (rule) => number(rule.reruns),
      },
      figure(t, locale, 'signals'),
      { ...time(t, 'last_run', (rule) => rule.last_run), isHidden: true },
      time(t, 'next_run', (rule) => rule.next_run),
      reasonColumn(t),
    ];
  }, [t, locale]);
}
