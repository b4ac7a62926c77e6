import { Button, Text } from '@mantine/core';
import { ATTACK_STATES, type AttackMatrix } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import styles from './attack.module.css';
import type { AttackLink, ChangeAttackLink } from './attack-link.ts';
import { StateGlyph } from './state-glyph.tsx';

interface AttackSummaryProps {
  readonly matrix: AttackMatrix;
  readonly link: AttackLink;
  readonly change: ChangeAttackLink;
}

/** How many techniques are watched; the legend of the states, each of which narrows the matrix to itself. */
export function AttackSummary({ matrix, link, change }: AttackSummaryProps) {
  const { t } = useTranslation('attack');
  const { locale } = useSettings();
  const number = (value: number) => formatInteger(value, locale);
  const { active, covered, total, percent } = matrix.coverage;
  const share = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(percent);
  return (
    <section className={styles.summary} aria-label={t('summary.label')}>
      <Text size="sm" fw={600}>
        {link.view === 'signals'
          ? t('summary.signals', { signals: number(matrix.signals), days: link.days })
          : t('summary.coverage', { active: number(active), total: number(total), percent: share })}
      </Text>
      <Text size="xs" c="dimmed">
        {t('summary.rules', { rules: number(matrix.rules), covered: number(covered) })}
      </Text>
      <ul className={styles.legend} aria-label={t('filters.state')}>
        {ATTACK_STATES.map((state) => (
          <li key={state}>
            <button
              type="button"
              className={styles.legendState}
              aria-pressed={link.state === state}
              title={t(`meanings.${state}`)}
              onClick={() => change({ state: link.state === state ? '' : state })}
            >
              <StateGlyph state={state} />
              {t(`states.${state}`)}
              <span className={styles.count}>{number(matrix.states[state])}</span>
            </button>
          </li>
        ))}
      </ul>
      <Button
        size="compact-sm"
        variant={link.subs ? 'light' : 'default'}
        aria-pressed={link.subs}
        onClick={() => change({ subs: !link.subs })}
      >
        {t('subs.all')}
      </Button>
    </section>
  );
}
