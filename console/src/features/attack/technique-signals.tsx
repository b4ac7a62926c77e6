import { Anchor, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ATTACK_DAYS, type OutputOf, techniqueSignals } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { Answered } from '../../ui/answered.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './attack.module.css';
import { useAttackPaths } from './use-attack-paths.ts';

type Timeline = OutputOf<typeof techniqueSignals>;

interface TechniqueSignalsProps {
  readonly id: string;
  /** Days that are shown at first. */
  readonly first: number;
}

/** The signals of a technique over time, a line for each rule; a click sets one apart from the others. */
export function TechniqueSignals({ id, first }: TechniqueSignalsProps) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const paths = useAttackPaths();
  const [days, setDays] = useState(first);
  const timeline = useQuery(
    callQuery(
      techniqueSignals,
      { scope_id: scopeId, technique_id: id, days },
      { params: { clusterId }, keep: true, quiet: true },
    ),
  );
  return (
    <div className={styles.stack}>
      <Select
        aria-label={t('days.label')}
        data={ATTACK_DAYS.map((value) => ({ value: String(value), label: t(`days.${value}`) }))}
        value={String(days)}
        onChange={(value) => setDays(Number(value ?? 7))}
        allowDeselect={false}
        w={170}
      />
      <Answered query={timeline}>
        {(found) =>
          found.total === 0 ? (
            <EmptyState kind="nothing-in-range" title={t('timeline.none')} />
          ) : (
            <>
              <Lines timeline={found} />
              {!id.includes('.') && (
                <Anchor component={Link} to={paths.signals(id, days)} size="sm">
                  {t('timeline.open')}
                </Anchor>
              )}
            </>
          )
        }
      </Answered>
    </div>
  );
}

const HEIGHT = 28;

function Lines({ timeline }: { readonly timeline: Timeline }) {
  const { t } = useTranslation('attack');
  const { locale } = useSettings();
  const [chosen, setChosen] = useState('');
  const { start, end, interval_ms: step, workbooks, total } = timeline;
  const slices = Math.round((end - start) / step);
  const most = Math.max(...workbooks.flatMap(({ points }) => points.map(({ count }) => count)));
  const shown = workbooks.reduce((sum, one) => sum + one.total, 0);
  return (
    <>
      <ul className={styles.rules}>
        {workbooks.map(({ workbook_id, name, total: ofRule, points }) => (
          <li key={workbook_id} data-apart={chosen === '' ? undefined : chosen === workbook_id}>
            <button
              type="button"
              className={styles.line}
              aria-pressed={chosen === workbook_id}
              onClick={() => setChosen(chosen === workbook_id ? '' : workbook_id)}
            >
              <span className={styles.name}>{name}</span>
              <span className={styles.count}>{formatInteger(ofRule, locale)}</span>
              <svg
                viewBox={`0 0 ${slices} ${HEIGHT}`}
                preserveAspectRatio="none"
                className={styles.spark}
                aria-hidden
              >
                {points.map(({ time, count }) => {
                  const height = Math.max(2, (count / most) * HEIGHT);
                  const x = (time - start) / step;
                  return <rect key={time} x={x} y={HEIGHT - height} width={0.8} height={height} />;
                })}
              </svg>
            </button>
          </li>
        ))}
      </ul>
      {shown < total && (
        <Text size="xs" c="dimmed">
          {t('timeline.cut', { more: formatInteger(total - shown, locale) })}
        </Text>
      )}
    </>
  );
}
