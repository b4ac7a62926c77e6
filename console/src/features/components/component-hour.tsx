import type { ComponentMinuteItem } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatInteger } from '../../lib/format-number.ts';
import { formatTime } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';
import classes from './component-health-page.module.css';

const MINUTE_MS = 60_000;
const MINUTES = 60;

type Figure = Exclude<keyof ComponentMinuteItem, 'time'>;

const FIGURES: readonly Figure[] = ['cpu_pct', 'mem_bytes', 'eps_in', 'eps_out', 'queue', 'dropped'];

interface ComponentHourProps {
  readonly minutes: readonly ComponentMinuteItem[];
  /** What each figure is called of this component. */
  readonly nameOf: (figure: Figure) => string;
}

/** The last hour by minute, a row of bars for each figure that is known. */
export function ComponentHour({ minutes, nameOf }: ComponentHourProps) {
  const { t } = useTranslation('components');
  const known = FIGURES.filter((figure) => minutes.some((one) => one[figure] !== null));
  const last = minutes.at(-1)?.time;
  if (last === undefined || known.length === 0) return <span>{t('noHour')}</span>;
  return (
    <div className={classes.hour}>
      {known.map((figure) => (
        <HourBars key={figure} name={nameOf(figure)} figure={figure} minutes={minutes} last={last} />
      ))}
    </div>
  );
}

interface HourBarsProps {
  readonly name: string;
  readonly figure: Figure;
  readonly minutes: readonly ComponentMinuteItem[];
  /** Begin of the minute that stands at the right end. */
  readonly last: number;
}

/** One figure from zero to its highest value of the hour; minutes of which nothing is known stay empty. */
function HourBars({ name, figure, minutes, last }: HourBarsProps) {
  const { t } = useTranslation('components');
  const { locale, timeZone } = useSettings();
  const say = (value: number): string => {
    if (figure === 'cpu_pct') return `${value} %`;
    if (figure === 'mem_bytes') return formatBytes(value);
    return Number.isInteger(value) ? formatInteger(value, locale) : value.toLocaleString(locale);
  };
  const byTime = new Map(minutes.map((one) => [one.time, one[figure]]));
  const slots = Array.from({ length: MINUTES }, (_, at) => last - (MINUTES - 1 - at) * MINUTE_MS);
  const values = minutes.map((one) => one[figure] ?? 0);
  const most = Math.max(...values);
  const scale = figure === 'cpu_pct' ? 100 : Math.max(most, Number.MIN_VALUE);
  const now = minutes.at(-1)?.[figure] ?? null;
  const label = `${name}: ${t('hourNow', { value: now === null ? '–' : say(now) })}, ${t('hourMost', { value: say(most) })}`;
  return (
    <div className={classes.hourRow}>
      <span>{name}</span>
      <span
        className={classes.bars}
        role="img"
        aria-label={label}
        data-bad={figure === 'dropped' || undefined}
      >
        {slots.map((time) => {
          const value = byTime.get(time) ?? null;
          return (
            <span
              key={time}
              title={
                value === null ? undefined : `${formatTime(time, 'clock', timeZone, locale)} · ${say(value)}`
              }
              style={{ height: `${((value ?? 0) / scale) * 100}%` }}
              data-empty={value === null || undefined}
            />
          );
        })}
      </span>
      <span className="tabular">{t('hourMost', { value: say(most) })}</span>
    </div>
  );
}
