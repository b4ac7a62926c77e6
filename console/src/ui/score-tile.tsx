import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './score-tile.module.css';

/** The band of a score: 1-3 low, 4-6 medium, 7-8 high, 9-10 critical. */
export function scoreBand(score: number): 'low' | 'medium' | 'high' | 'critical' {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  return score >= 4 ? 'medium' : 'low';
}

interface ScoreTileProps {
  readonly score: number;
  /** For lines that stand close to each other. */
  readonly isSmall?: boolean;
}

/** A signal's score from 1 to 10 on the colour of its band. */
export function ScoreTile({ score, isSmall }: ScoreTileProps) {
  const { t } = useTranslation('ui');
  const label = t('score', { score });
  return (
    <Tooltip label={label}>
      <span
        className={classes.tile}
        data-band={scoreBand(score)}
        data-small={isSmall || undefined}
        role="img"
        aria-label={label}
      >
        {score}
      </span>
    </Tooltip>
  );
}
