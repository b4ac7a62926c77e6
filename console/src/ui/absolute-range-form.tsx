import { Button, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '../lib/format-time.ts';
import { useSettings } from '../lib/settings.ts';
import { readRange, resolveRange, resolveTime, type TimeRange } from '../lib/time-range.ts';
import classes from './time-range-picker.module.css';

interface FormProps {
  readonly value: TimeRange;
  readonly onApply: (range: TimeRange) => void;
}

/** From and to as text (wall time of the shown zone, `now-1d/d`, ISO, epoch, "last 3 hours") with a calendar. */
export function AbsoluteRangeForm({ value, onApply }: FormProps) {
  const { t } = useTranslation('ui');
  const { timeZone } = useSettings();
  const [from, setFrom] = useState(() => asText(value.from, timeZone));
  const [to, setTo] = useState(() => asText(value.to, timeZone));
  const [isWrong, setWrong] = useState(false);
  /** The first day of a range whose last day is still to be chosen. */
  const [begun, setBegun] = useState<string | null>(null);
  const today = dayOf(Date.now(), timeZone);
  const days = daysOf(from, to, timeZone);
  const [month, setMonth] = useState(days?.[1] ?? today);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const spoken = readRange(from);
    const range =
      spoken && to.trim() === '' ? spoken : { from: fixed(from, timeZone), to: fixed(to, timeZone) };
    if (resolveRange(range, Date.now(), timeZone)) onApply(range);
    else setWrong(true);
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <TextInput
        label={t('range.from')}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        error={isWrong ? t('range.wrong') : undefined}
        data-autofocus
      />
      <TextInput label={t('range.to')} value={to} onChange={(event) => setTo(event.currentTarget.value)} />
      <DatePicker
        type="range"
        size="xs"
        allowSingleDateInRange
        value={begun ? [begun, null] : (days ?? [null, null])}
        onChange={([start, end]) => {
          setBegun(end ? null : start);
          if (start) setFrom(`${start} 00:00:00`);
          if (end) setTo(`${end} 23:59:59.999`);
        }}
        date={month}
        onDateChange={setMonth}
        getDayProps={(day) => (day === today ? { 'data-is-today': true, 'aria-current': 'date' } : {})}
        ariaLabels={{
          previousMonth: t('range.previousMonth'),
          nextMonth: t('range.nextMonth'),
          previousYear: t('range.previousYear'),
          nextYear: t('range.nextYear'),
          previousDecade: t('range.previousDecade'),
          nextDecade: t('range.nextDecade'),
        }}
      />
      <Button type="submit">{t('range.apply')}</Button>
    </form>
  );
}

const dayOf = (time: number, zone: string): string => formatTime(time, 'iso', zone).slice(0, 10);

/** The first and the last day of the range that the texts name; null while they name none. */
function daysOf(from: string, to: string, zone: string): [string, string] | null {
  const spoken = to.trim() === '' ? readRange(from) : null;
  const range = resolveRange(spoken ?? { from, to }, Date.now(), zone);
  // The end is the first moment that is no longer in the range.
  return range && [dayOf(range.from, zone), dayOf(range.to - 1, zone)];
}

function asText(end: string, zone: string): string {
  if (end.startsWith('now')) return end;
  const time = resolveTime(end, 0, zone, 'down');
  return time === null ? end : formatTime(time, 'iso', zone).replace(/\.000$/, '');
}

/** Wall times become instants now, so that a link means the same in another zone. */
function fixed(end: string, zone: string): string {
  if (end.trim().startsWith('now')) return end.trim();
  const time = resolveTime(end, 0, zone, 'down');
  return time === null ? end.trim() : new Date(time).toISOString();
}
