import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../lib/format-number.ts';
import styles from './streams.module.css';

const HEIGHT = 120;
const STEP = 20;
const DAY_MS = 86_400_000;

interface VolumeBarsProps {
  /** Days that have something, oldest first. */
  readonly days: readonly { readonly day: number; readonly value: number; readonly isOver?: boolean }[];
  /** What the bars count, in bytes. */
  readonly label: string;
  /** Lines across: what is subscribed, what is at most allowed. */
  readonly lines?: readonly { readonly name: string; readonly value: number }[];
  readonly from?: number;
  readonly to?: number;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Bytes by UTC day as bars, from zero. */
export function VolumeBars({ days, label, lines = [], from, to }: VolumeBarsProps) {
  const { t } = useTranslation('streams');
  const first = from ?? days[0]?.day ?? 0;
  const last = to === undefined ? (days.at(-1)?.day ?? first) : to - DAY_MS;
  const count = Math.max(1, Math.round((last - first) / DAY_MS) + 1);
  const most = Math.max(1, ...days.map(({ value }) => value), ...lines.map(({ value }) => value * 1.05));
  const words = days.map(({ day, value }) => `${dayOf(day)}: ${formatBytes(value)}`).join(', ');
  return (
    <figure className={styles.chart}>
      <svg
        className={styles.picture}
        viewBox={`0 0 ${count * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}. ${words}`}
      >
        {days.map((one) => (
          <Bar key={one.day} {...one} x={Math.round((one.day - first) / DAY_MS) * STEP + 2} most={most} />
        ))}
        {lines.map(({ name, value }) => {
          const y = HEIGHT - (HEIGHT * value) / most;
          return <line key={name} x1={0} x2={count * STEP} y1={y} y2={y} className={styles.line} />;
        })}
      </svg>
      <div className={styles.axis} aria-hidden>
        <span>{dayOf(first)}</span>
        <span>{t('most', { value: formatBytes(Math.max(0, ...days.map(({ value }) => value))) })}</span>
        <span>{dayOf(last)}</span>
      </div>
      {lines.length > 0 && (
        <div className={styles.axis}>
          {lines.map(({ name, value }) => (
            <span key={name}>
              {name}: {formatBytes(value)}
            </span>
          ))}
        </div>
      )}
    </figure>
  );
}

interface BarProps {
  readonly day: number;
  readonly value: number;
  readonly isOver?: boolean;
  readonly x: number;
  readonly most: number;
}

function Bar({ day, value, isOver, x, most }: BarProps) {
  const height = value === 0 ? 0 : Math.max(1, (HEIGHT * value) / most);
  return (
    <rect
      x={x}
      y={HEIGHT - height}
      width={STEP - 4}
      height={height}
      className={isOver ? styles.over : styles.bar}
    >
      <title>{`${dayOf(day)}: ${formatBytes(value)}`}</title>
    </rect>
  );
}
