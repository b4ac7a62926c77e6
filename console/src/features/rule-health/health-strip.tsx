import { Text, Tooltip, UnstyledButton } from '@mantine/core';
import { type listRuleHealth, type OutputOf, RUNNING_STATES } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { formatDuration } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';
import { RuleStateChip } from '../detections/public.ts';
import styles from './rule-health.module.css';
import { shareText } from './rule-health-words.ts';

type State = (typeof RUNNING_STATES)[number];

interface HealthStripProps {
  readonly totals: OutputOf<typeof listRuleHealth>['totals'];
  readonly state: State | undefined;
  readonly onState: (state: State | undefined) => void;
}

/** The rules by state, each a filter, and what all of them cost and find. */
export function HealthStrip({ totals, state, onState }: HealthStripProps) {
  const { t } = useTranslation('rule-health');
  const { locale } = useSettings();
  const number = (value: number) => formatInteger(value, locale);
  const shared = totals.cpu_ms_day === 0 ? 0 : totals.shared_cpu_ms_day / totals.cpu_ms_day;
  return (
    <section className={styles.strip} aria-label={t('totals')}>
      {RUNNING_STATES.map((one) => (
        <UnstyledButton
          key={one}
          className={styles.total}
          data-none={totals.states[one] === 0 || undefined}
          aria-pressed={state === one}
          onClick={() => onState(state === one ? undefined : one)}
        >
          <strong>{number(totals.states[one])}</strong>
          <RuleStateChip state={one} />
        </UnstyledButton>
      ))}
      <Figure
        label={t('cpuDay')}
        value={formatDuration(totals.cpu_ms_day)}
        help={t('sharedCpu', { share: shareText(shared, locale) })}
      />
      <Figure label={t('columns.signals')} value={number(totals.signals)} />
      <Figure
        label={t('columns.silent')}
        value={totals.knows_inputs ? number(totals.silent) : '–'}
        help={t(totals.knows_inputs ? 'silentHelp' : 'inputsUnknown')}
      />
      <Figure label={t('columns.tuning')} value={number(totals.tuning_open)} />
    </section>
  );
}

function Figure({
  label,
  value,
  help,
}: {
  readonly label: string;
  readonly value: string;
  readonly help?: string;
}) {
  const figure = (
    <div className={styles.total}>
      <strong>{value}</strong>
      <Text span size="xs" c="dimmed">
        {label}
      </Text>
    </div>
  );
  return help ? (
    <Tooltip label={help} multiline maw={320}>
      {figure}
    </Tooltip>
  ) : (
    figure
  );
}
