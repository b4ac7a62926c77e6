import { Button, Group, NumberInput, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { nextRuns, SCHEDULE_MODES, type Schedule } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime, zoneOffset } from '../../lib/format-time.ts';
import { callQuery } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';

interface ScheduleDialogProps {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly schedule: Schedule;
  readonly isFixed: boolean;
  readonly onClose: () => void;
  readonly onChange: (schedule: Schedule) => void;
}

const PRESETS = ['*/15 * * * *', '0 * * * *', '0 */6 * * *', '0 6 * * *', '0 6 * * 1', '0 6 1 * *'] as const;

/** Off, by cron in a zone, or streamed every minute; with the next five times that it runs. */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const { t } = useTranslation('workbooks');
  const [schedule, setSchedule] = useState(props.schedule);
  const change = (part: Partial<Schedule>) => setSchedule((now) => ({ ...now, ...part }));
  const isWrong = schedule.mode === 'scheduled' && !schedule.cron?.trim();
  return (
    <Dialog onClose={props.onClose} title={t('schedule.title')} size={520}>
      <Stack gap={14}>
        <Radio.Group
          aria-label={t('schedule.title')}
          value={schedule.mode}
          onChange={(wish) => {
            const mode = SCHEDULE_MODES.find((one) => one === wish) ?? schedule.mode;
            change({
              mode,
              cron: mode === 'scheduled' ? (schedule.cron ?? PRESETS[1]) : schedule.cron,
            });
          }}
        >
          <Stack gap={10}>
            {SCHEDULE_MODES.map((mode) => (
              <Radio
                key={mode}
                value={mode}
                size="xs"
                disabled={props.isFixed}
                label={t(`mode.${mode}`)}
                description={t(`schedule.${mode}Help`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {schedule.mode === 'scheduled' && (
          <CronFields schedule={schedule} isFixed={props.isFixed} change={change} />
        )}
        {schedule.mode !== 'off' && (
          <NumberInput
            label={t('schedule.lookback')}
            description={t('schedule.lookbackHelp')}
            min={0}
            max={1440}
            value={schedule.lookback_minutes}
            disabled={props.isFixed}
            onChange={(minutes) => change({ lookback_minutes: Number(minutes) || 0 })}
          />
        )}
        {schedule.mode !== 'off' && !isWrong && <NextRuns {...props} schedule={schedule} />}
        <Group justify="flex-end" gap={8}>
          {!props.isFixed && (
            <Text size="xs" c="dimmed" mr="auto">
              {t('schedule.onSave')}
            </Text>
          )}
          <Button variant="default" onClick={props.onClose}>
            {t('ui:cancel')}
          </Button>
          <Button
            disabled={props.isFixed || isWrong}
            onClick={() => {
              props.onChange(schedule.mode === 'scheduled' ? schedule : { ...schedule, cron: null });
              props.onClose();
            }}
          >
            {t('schedule.apply')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

interface CronFieldsProps {
  readonly schedule: Schedule;
  readonly isFixed: boolean;
  readonly change: (part: Partial<Schedule>) => void;
}

function CronFields({ schedule, isFixed, change }: CronFieldsProps) {
  const { t } = useTranslation('workbooks');
  const zones = useMemo(() => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])], []);
  const preset = PRESETS.find((each) => each === schedule.cron);
  return (
    <Group gap={8} align="flex-start" grow>
      <Select
        label={t('schedule.every')}
        data={[
          ...PRESETS.map((each) => ({ value: each, label: t(`schedule.preset.${each}`) })),
          { value: 'own', label: t('schedule.own') },
        ]}
        value={preset ?? 'own'}
        onChange={(next) => next && next !== 'own' && change({ cron: next })}
        allowDeselect={false}
        disabled={isFixed}
      />
      <TextInput
        label={t('schedule.cron')}
        value={schedule.cron ?? ''}
        disabled={isFixed}
        onChange={(event) => change({ cron: event.currentTarget.value })}
        styles={{ input: { fontFamily: 'var(--font-mono)' } }}
      />
      <Select
        label={t('schedule.zone')}
        data={zones}
        value={schedule.timezone}
        onChange={(zone) => zone && change({ timezone: zone })}
        searchable
        limit={60}
        allowDeselect={false}
        disabled={isFixed}
      />
    </Group>
  );
}

function NextRuns({
  clusterId,
  scopeId,
  schedule,
}: Pick<ScheduleDialogProps, 'clusterId' | 'scopeId' | 'schedule'>) {
  const { t } = useTranslation('workbooks');
  const [settled] = useDebouncedValue(schedule, 400);
  const runs = useQuery({
    ...callQuery(nextRuns, { scope_id: scopeId, schedule: settled }, { params: { clusterId }, quiet: true }),
    retry: false,
  });
  if (runs.isError) {
    return (
      <Text size="xs" c="var(--bad)" role="alert">
        {runs.error.message || t('schedule.wrongCron')}
      </Text>
    );
  }
  const offset = zoneOffset(settled.timezone, Date.now());
  return (
    <div>
      <Text size="xs" c="dimmed">
        {t('schedule.next', { zone: [...new Set([settled.timezone, offset])].join(', ') })}
      </Text>
      <ol style={{ margin: '4px 0 0', paddingLeft: 20 }} className="mono">
        {(runs.data ?? []).map((time) => (
          <li key={time}>{formatTime(time, 'iso', settled.timezone).slice(0, 19)}</li>
        ))}
      </ol>
    </div>
  );
}
