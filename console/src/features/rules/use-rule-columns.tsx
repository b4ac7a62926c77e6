import { Switch } from '@mantine/core';
import { type PackRule, tacticTitle } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../lib/session-store.ts';
import { SeverityChip } from '../../ui/severity-chip.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { SAMPLE_TONES } from '../samples/public.ts';
import { severityOf, VERDICT_TONES, verdictKey } from './rule-words.ts';

type OnSwitch = (rule: PackRule, enabled: boolean) => void;
type Columns = readonly DataColumn<PackRule>[];

/** The columns of the list of rules. */
export function useRuleColumns(onSwitch: OnSwitch): Columns {
  const { t } = useTranslation('rules');
  const { tags } = useSignedIn();
  const isEngineer = tags.includes('engineer');
  return useMemo(
    () => [switchColumn(t, isEngineer, onSwitch), ...firstColumns(t), ...furtherColumns(t)],
    [t, isEngineer, onSwitch],
  );
}

const switchColumn = (t: TFunction, isEngineer: boolean, onSwitch: OnSwitch): DataColumn<PackRule> => ({
  id: 'enabled',
  header: t('columns.enabled'),
  width: 70,
  cell: (rule) => (
    <Switch
      size="xs"
      aria-label={t('columns.switch', { title: rule.title })}
      checked={rule.enabled}
      disabled={!isEngineer || !(rule.can_run || rule.enabled)}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => onSwitch(rule, event.currentTarget.checked)}
    />
  ),
});

const firstColumns = (t: TFunction): Columns => [
  { id: 'title', header: t('columns.title'), width: 380, grows: true, value: (rule) => rule.title },
  {
    id: 'verdict',
    header: t('columns.verdict'),
    width: 150,
    value: (rule) => rule.verdict,
    cell: (rule) => <StateMark tone={VERDICT_TONES[rule.verdict]} label={t(verdictKey(rule.verdict))} />,
  },
  {
    id: 'level',
    header: t('columns.level'),
    width: 120,
    value: (rule) => rule.level,
    cell: (rule) => (rule.level === '' ? '–' : <SeverityChip severity={severityOf(rule.level)} />),
  },
  { id: 'source', header: t('columns.source'), width: 230, cell: (rule) => rule.log_source || '–' },
  {
    id: 'tactics',
    header: t('columns.tactics'),
    width: 220,
    cell: (rule) => rule.tactics.map(tacticTitle).join(', ') || '–',
  },
];

const furtherColumns = (t: TFunction): Columns => [
  {
    id: 'techniques',
    header: t('columns.techniques'),
    width: 150,
    cell: (rule) => rule.techniques.join(', ') || '–',
  },
  {
    id: 'stage',
    header: t('columns.stage'),
    width: 90,
    cell: (rule) => (rule.enabled ? t(`workbooks:stages.${rule.stage}`) : '–'),
  },
  {
    id: 'samples',
    header: t('columns.samples'),
    width: 130,
    cell: ({ sample_state: state }) =>
      state === 'none' ? '–' : <StateMark tone={SAMPLE_TONES[state]} label={t(`samples:states.${state}`)} />,
  },
  { id: 'pack', header: t('columns.pack'), width: 150, cell: (rule) => rule.pack },
  {
    id: 'state',
    header: t('columns.state'),
    width: 150,
    cell: (rule) => (rule.is_gone ? <StateMark tone="warn" label={t('gone')} /> : '–'),
    isHidden: true,
  },
  {
    id: 'status',
    header: t('columns.status'),
    width: 120,
    cell: (rule) => rule.status || '–',
    isHidden: true,
  },
  {
    id: 'version',
    header: t('columns.version'),
    width: 90,
    cell: (rule) => `v${rule.version}`,
    isHidden: true,
  },
  {
    id: 'changed',
    header: t('columns.changed'),
    width: 165,
    value: (rule) => rule.changed,
    cell: (rule) => <TimeStamp time={rule.changed} form="seconds" />,
    isHidden: true,
  },
];
