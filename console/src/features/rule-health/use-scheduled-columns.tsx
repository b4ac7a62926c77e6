import { Switch, Tooltip } from '@mantine/core';
import {
  listRuleHealth,
  type RunningWorkbook,
  runningWorkbooks,
  setWorkbookVisibility,
  switchRules,
} from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { formatDuration, formatTime } from '../../lib/format-time.ts';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { showUndo } from '../../ui/undo-toast.tsx';
import { RuleStateChip } from '../detections/public.ts';
import styles from './rule-health.module.css';
import { reasonText } from './use-run-columns.tsx';

type Columns = readonly DataColumn<RunningWorkbook>[];
type T = (key: string, values?: Readonly<Record<string, unknown>>) => string;

const RESULT_TONES = { done: 'good', failed: 'bad', none: 'quiet' } as const;

/** Pauses or resumes a rule; a pause can be undone, and then covers the time in between. */
function useSwitch() {
  const { t } = useTranslation('rule-health');
  const { clusterId, scopeId } = useScope();
  const stale = [runningWorkbooks, listRuleHealth];
  const { mutate: switchWorkbook } = useCallMutation(setWorkbookVisibility, { stale });
  const { mutate: switchPack } = useCallMutation(switchRules, { stale });
  return useMemo(() => {
    const put = ({ ID, kind }: RunningWorkbook, enabled: boolean, done: () => void, since?: number) => {
      const params = { clusterId };
      const scope = { scope_id: scopeId };
      const backfill = since === undefined ? {} : { backfill_from: since };
      const then = { onSuccess: done };
      if (kind === 'pack') switchPack({ params, input: { ...scope, rule_ids: [ID], enabled } }, then);
      else switchWorkbook({ params, input: { ...scope, ID, enabled, ...backfill } }, then);
    };
    return (one: RunningWorkbook, enabled: boolean) => {
      const since = Date.now();
      const said = t(enabled ? 'scheduled.resumed' : 'scheduled.paused', { rule: one.name });
      put(one, enabled, () => {
        if (enabled) notify('done', said);
        else showUndo(said, () => put(one, true, () => undefined, since));
      });
    };
  }, [t, clusterId, scopeId, switchWorkbook, switchPack]);
}

/** The columns of scheduled jobs. */
export function useScheduledColumns(): Columns {
  const { t } = useTranslation('rule-health');
  const { locale, timeZone } = useSettings();
  const onSwitch = useSwitch();
  return useMemo(
    () => [
      {
        id: 'enabled',
        header: t('scheduled.on'),
        width: 70,
        cell: (one) => (
          <Switch
            size="xs"
            aria-label={t('scheduled.switch', { rule: one.name })}
            checked={one.enabled}
            onClick={(event) => event.stopPropagation()}
            onChange={(event) => onSwitch(one, event.currentTarget.checked)}
          />
        ),
      },
      { id: 'name', header: t('columns.name'), width: 240, grows: true, value: (one) => one.name },
      scheduleColumn(t),
      {
        id: 'state',
        header: t('columns.state'),
        width: 120,
        value: (one) => one.state,
        cell: (one) => <RuleStateChip state={one.state} />,
      },
      {
        id: 'next',
        header: t('columns.next_run'),
        width: 165,
        value: (one) => one.next_runs[0] ?? null,
        cell: (one) => <NextRuns times={one.next_runs} zone={timeZone} />,
      },
      ...runColumns(t, locale),
    ],
    [t, locale, timeZone, onSwitch],
  );
}

const scheduleColumn = (t: T): DataColumn<RunningWorkbook> => ({
  id: 'schedule',
  header: t('scheduled.schedule'),
  width: 180,
  value: (one) => `${one.mode} ${one.cron ?? ''}`,
  cell: (one) =>
    one.mode === 'scheduled' ? (
      <span className="mono">
        {one.cron} {one.timezone}
      </span>
    ) : (
      t('scheduled.everyMinute')
    ),
});

const runColumns = (t: T, locale: string): Columns => [
  {
    id: 'started',
    header: t('scheduled.started'),
    width: 165,
    value: (one) => one.started,
    cell: (one) => (one.started === null ? '–' : <TimeStamp time={one.started} form="seconds" />),
  },
  {
    id: 'duration',
    header: t('scheduled.duration'),
    width: 100,
    align: 'right',
    value: (one) => one.last_duration_ms,
    cell: (one) => (one.last_duration_ms === null ? '–' : formatDuration(one.last_duration_ms)),
  },
  {
    id: 'status',
    header: t('scheduled.result'),
    width: 110,
    value: (one) => one.last_status,
    cell: (one) => (
      <span title={reasonText(one)}>
        <StateMark tone={RESULT_TONES[one.last_status]} label={t(`scheduled.results.${one.last_status}`)} />
      </span>
    ),
  },
  {
    id: 'signals',
    header: t('scheduled.signals'),
    width: 110,
    align: 'right',
    value: (one) => one.signals,
    cell: (one) => formatInteger(one.signals, locale),
  },
  {
    id: 'failures',
    header: t('scheduled.failures'),
    width: 110,
    align: 'right',
    value: (one) => one.failures,
    cell: (one) => formatInteger(one.failures, locale),
  },
];

/** The next run; the four after it are told when it is pointed at. */
function NextRuns({ times, zone }: { readonly times: readonly number[]; readonly zone: string }) {
  const [first] = times;
  if (first === undefined) return '–';
  const text = (time: number) => formatTime(time, 'seconds', zone);
  return (
    <Tooltip
      multiline
      label={times.map((time) => (
        <div key={time} className="mono">
          {text(time)}
        </div>
      ))}
    >
      <time className={styles.whole} dateTime={new Date(first).toISOString()}>
        {text(first)}
      </time>
    </Tooltip>
  );
}
