import { UnstyledButton } from '@mantine/core';
import { type countRules, type OutputOf, RULE_VERDICTS } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import type { ChangeLink, RuleListLink } from './rule-links.ts';
import { VERDICT_TONES, verdictKey } from './rule-words.ts';
import styles from './rules.module.css';

interface RuleTotalsProps {
  readonly counts: OutputOf<typeof countRules>;
  readonly link: RuleListLink;
  readonly change: ChangeLink;
}

/** How many rules have which verdict; a click filters. */
export function RuleTotals({ counts, link, change }: RuleTotalsProps) {
  const { t } = useTranslation('rules');
  const { locale } = useSettings();
  const of = (verdict: string) => counts.verdicts.find(({ name }) => name === verdict)?.count ?? 0;
  if (counts.total === 0) return null;
  return (
    <ul className={styles.totals} aria-label={t('totals')}>
      {RULE_VERDICTS.filter((verdict) => of(verdict) > 0).map((verdict) => (
        <li key={verdict}>
          <UnstyledButton
            className={styles.total}
            aria-pressed={link.verdict === verdict}
            onClick={() => change({ verdict: link.verdict === verdict ? '' : verdict })}
          >
            <strong>{formatInteger(of(verdict), locale)}</strong>
            <StateMark tone={VERDICT_TONES[verdict]} label={t(verdictKey(verdict))} />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
