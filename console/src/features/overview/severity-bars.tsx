import { SCORE_BANDS, type ScopeOverview, type ScoreBand } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format-number.ts';
import { SeverityChip } from '../../ui/severity-chip.tsx';
import { FigureLink } from './figure-link.tsx';
import classes from './overview-page.module.css';

const NAMES = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' } as const;

interface SeverityBarsProps {
  readonly counts: ScopeOverview['signals'] | undefined;
  /** Where the signals of a band stand. */
  readonly linkOf?: ((band: ScoreBand) => string) | undefined;
}

/** Signals by the band of their score. */
export function SeverityBars({ counts, linkOf }: SeverityBarsProps) {
  const { t } = useTranslation('overview');
  const most = Math.max(1, ...SCORE_BANDS.map((band) => counts?.[band] ?? 0));
  return (
    <ul className={classes.list}>
      {SCORE_BANDS.map((band) => (
        <li key={band}>
          <FigureLink to={linkOf?.(band)} className={classes.row} title={t(`band.${band}`)}>
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
          </FigureLink>
        </li>
      ))}
    </ul>
  );
}
