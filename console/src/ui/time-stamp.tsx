import { HoverCard, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatTime, resolveZone, type TimeForm, toEpochMs, zoneOffset } from '../lib/format-time.ts';
import { useSettings } from '../lib/settings.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './time-stamp.module.css';

interface TimeStampProps {
  /** Seconds (under 11 digits) or milliseconds since 1970. */
  readonly time: number;
  readonly form?: TimeForm;
}

/** A time in the chosen zone; hovering shows it in that zone and in UTC, with a copy button. */
export function TimeStamp({ time, form = 'iso' }: TimeStampProps) {
  const { t } = useTranslation('ui');
  const { timeZone, locale } = useSettings();
  const ms = toEpochMs(time);
  const shown = formatTime(time, form, timeZone, locale);
  const utc = Number.isFinite(ms) ? new Date(ms).toISOString() : '';
  return (
    <HoverCard openDelay={350} position="top-start" shadow="md" withinPortal withRoles={false}>
      <HoverCard.Target>
        <time className={classes.time} dateTime={utc}>
          {shown}
        </time>
      </HoverCard.Target>
      <HoverCard.Dropdown className={classes.card}>
        <Text size="xs" c="dimmed">
          {resolveZone(timeZone)} ({zoneOffset(timeZone, ms)})
        </Text>
        <span className="mono">{formatTime(time, 'iso', timeZone, locale)}</span>
        <Text size="xs" c="dimmed" mt={6}>
          UTC
        </Text>
        <span className="mono">{utc}</span>
        <span className={classes.copy}>
          <CopyButton value={utc} />
          <span className="visually-hidden">{t('copyTime')}</span>
        </span>
      </HoverCard.Dropdown>
    </HoverCard>
  );
}

interface AuthorAndTimeProps {
  readonly author: string;
  readonly time: number;
}

/** Who did something and when, in one line of a table, to the second. */
export function AuthorAndTime({ author, time }: AuthorAndTimeProps) {
  return (
    <span className={classes.line}>
      {author} · <TimeStamp time={time} form="seconds" />
    </span>
  );
}

interface FromToProps {
  readonly from: number;
  readonly to: number;
}

/** A range of time in one line of a table, to the second. */
export function FromTo({ from, to }: FromToProps) {
  return (
    <span className={classes.line}>
      <TimeStamp time={from} form="seconds" /> – <TimeStamp time={to} form="seconds" />
    </span>
  );
}
