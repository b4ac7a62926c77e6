import { Button, Group, NumberInput, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { nextRuns, SCHEDULE_MODES, type Schedule } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime, resolveZone, zoneOffset } from '../../lib/format-time.ts';
import { serverText } from '../../lib/server-text.ts';
import { useSettings } from '../../lib/settings.ts';
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

/** Minute, hour, day of month, month, day of week: without them the server need not be asked. */
const hasFiveFields = (cron: string): boolean => cron.trim().split(/\s+/).length === 5;

/** Off, by cron in a zone, or streamed every minute; with the next five times that it runs. */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const { t } = useTranslation('workbooks');
  const [schedule, setSchedule] = useState(props.schedule);
  const ownZone = resolveZone(useSettings().timeZone);
  const change = (part: Partial<Schedule>) => setSchedule((now) => ({ ...now, ...part }));
  const isWrong = schedule.mode === 'scheduled' && !hasFiveFields(schedule.cron ?? '');
  return (
    <Dialog onClose={props.onClose} title={t('schedule.title')} size={520}>
      <Stack gap={14}>
        <Radio.Group
          aria-label={t('schedule.title')}
          value={schedule.mode}
          onChange={(choice) => {
            const mode = SCHEDULE_MODES.find((one) => one === choice) ?? schedule.mode;
            change({
              mode,
              cron: mode === 'scheduled' ? (schedule.cron ?? PRESETS[1]) : schedule.cron,
              // A first schedule is meant in the time of its author.
              timezone: mode === 'scheduled' && schedule.cron === null ? ownZone : schedule.timezone,
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
        error={hasFiveFields(schedule.cron ?? '') ? undefined : t('schedule.wrongCron')}
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
  // Times as everywhere on the page, whatever the zone of the schedule.
  const zone = resolveZone(useSettings().timeZone);
  const runs = useQuery({
    ...callQuery(nextRuns, { scope_id: scopeId, schedule: settled }, { params: { clusterId }, quiet: true }),
    retry: false,
  });
  if (runs.isError) {
    return (
      <Text size="xs" c="var(--bad)" role="alert">
        {serverText(runs.error) || t('schedule.wrongCron')}
      </Text>
    );
  }
  const offset = zoneOffset(zone, Date.now());
  return (
    <div>
      <Text size="xs" c="dimmed">
        {t('schedule.next', { zone: [...new Set([zone, offset])].join(', ') })}
      </Text>
      <ol style={{ margin: '4px 0 0', paddingLeft: 20 }} className="mono">
        {(runs.data ?? []).map((time) => (
          <li key={time}>{formatTime(time, 'iso', zone).slice(0, 19)}</li>
        ))}
      </ol>
    </div>
  );
}
