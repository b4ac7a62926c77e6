import { SCORE_BANDS, type ScopeOverview } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format-number.ts';
import { SeverityChip } from '../../ui/severity-chip.tsx';
import classes from './overview-page.module.css';

const NAMES = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' } as const;

/** Signals by the band of their score. */
export function SeverityBars({ counts }: { readonly counts: ScopeOverview['signals'] | undefined }) {
  const { t } = useTranslation('overview');
  const most = Math.max(1, ...SCORE_BANDS.map((band) => counts?.[band] ?? 0));
  return (
    <ul className={classes.list}>
      {SCORE_BANDS.map((band) => (
        <li key={band} className={classes.row} title={t(`band.${band}`)}>
          <SeverityChip severity={NAMES[band]} />
          <span>{counts ? formatCount(counts[band]) : '–'}</span>
          <div className={classes.track}>
            <div
              className={classes.bar}
              style={{
                width: `${((counts?.[band] ?? 0) / most) * 100}%`,
                background: `var(--severity-${band})`,
              }}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
