import { useTranslation } from 'react-i18next';
import { formatTime } from '../lib/format-time.ts';
import { useSettings } from '../lib/settings.ts';
import { quickSpan, resolveTime, type TimeRange } from '../lib/time-range.ts';

const UNITS: Readonly<Record<string, string>> = {
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  M: 'month',
  Q: 'quarter',
  y: 'year',
};

/** Gives the words of a range: `Last 15 minutes`, or its two ends in the chosen zone. */
export function useRangeLabel(): (range: TimeRange) => string {
  const { t } = useTranslation('ui');
  const { timeZone, locale } = useSettings();
  const end = (text: string): string => {
    if (text.startsWith('now')) return text;
    const time = resolveTime(text, 0, timeZone, 'down');
    return time === null ? text : formatTime(time, 'iso', timeZone, locale).replace(/(:00)?\.000$/, '');
  };
  return (range) => {
    const span = quickSpan(range);
    const unit = span ? UNITS[span.slice(-1)] : undefined;
    const count = Number.parseInt(span ?? '', 10);
    // `Last hour`, not `Last 1 hour`: in some languages the form for one also stands for 21.
    if (unit) return count === 1 ? t(`range.lastOne.${unit}`) : t(`range.last.${unit}`, { count });
    return `${end(range.from)} – ${end(range.to)}`;
  };
}
