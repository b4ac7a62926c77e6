import type { PreviewDay } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import styles from './rule-preview.module.css';

const WIDTH = 960;
const HEIGHT = 120;
/** So many days are each named below their bar; of more the first, the middle and the last. */
const ALL_NAMED = 4;

interface DaysChartProps {
  readonly days: readonly PreviewDay[];
  /** Days of the range, also those that were not looked at. */
  readonly range: { readonly start: number; readonly end: number };
}

const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Signals of each day in UTC, from zero; the days that were not looked at are left empty. */
export function PreviewDaysChart({ days, range }: DaysChartProps) {
  const { t } = useTranslation('rule-preview');
  const { locale } = useSettings();
  const first = Math.floor(range.start / DAY_MS);
  const count = Math.max(1, Math.floor((range.end - 1) / DAY_MS) - first + 1);
  const width = WIDTH / count;
  const bar = Math.max(0.6, Math.min(width * 0.8, 48));
  const most = Math.max(0, ...days.map(({ signals }) => signals));
  const number = (value: number) => formatInteger(value, locale);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.axis}>
        <span>{t('chart.title')}</span>
        <span>{t('chart.most', { number: number(most) })}</span>
      </figcaption>
      <svg
        className={styles.picture}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={days.map((day) => `${dayOf(day.from)}: ${number(day.signals)}`).join(', ')}
      >
        {days.map((day) => {
          const index = Math.floor(day.from / DAY_MS) - first;
          const height = day.signals === 0 ? 0 : Math.max(2, (HEIGHT * day.signals) / most);
          const x = index * width + (width - bar) / 2;
          return (
            <g key={day.from}>
              <title>
                {`${dayOf(day.from)}\n${t('columns.signals')}: ${number(day.signals)}\n${t('columns.rows')}: ${number(day.rows)}`}
              </title>
              <rect x={index * width} y={0} width={width} height={HEIGHT} className={styles.looked} />
              <rect x={x} y={HEIGHT - height} width={bar} height={height} className={styles.signals} />
            </g>
          );
        })}
      </svg>
      <DayNames first={first} count={count} />
    </figure>
  );
}

function DayNames({ first, count }: { readonly first: number; readonly count: number }) {
  const isAll = count <= ALL_NAMED;
  const named = isAll
    ? Array.from({ length: count }, (_, at) => at)
    : [0, Math.floor((count - 1) / 2), count - 1];
  return (
    <div className={styles.axis} data-below-bars={isAll || undefined} aria-hidden>
      {named.map((at) => (
        <span key={at}>{dayOf((first + at) * DAY_MS)}</span>
      ))}
    </div>
  );
}
