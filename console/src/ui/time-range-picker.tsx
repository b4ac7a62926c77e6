import { Button, Group, Popover } from '@mantine/core';
import { IconChevronDown, IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { zoneOffset } from '../lib/format-time.ts';
import { useSettings } from '../lib/settings.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import { lastRange, QUICK_RANGES, quickSpan, type TimeRange } from '../lib/time-range.ts';
import { AbsoluteRangeForm } from './absolute-range-form.tsx';
import classes from './time-range-picker.module.css';
import { TimeZoneSelect } from './time-zone-select.tsx';
import { useRangeLabel } from './use-range-label.ts';
import { useTimeKeys } from './use-time-keys.ts';

const KEPT = 6;

interface TimeRangePickerProps {
  readonly value: TimeRange;
  readonly onChange: (range: TimeRange) => void;
}

/** Relative and absolute ranges, the zone, and the ranges used lately. */
export function TimeRangePicker({ value, onChange }: TimeRangePickerProps) {
  const { t } = useTranslation('ui');
  const { timeZone } = useSettings();
  const [isOpen, setOpen] = useState(false);
  const label = useRangeLabel();
  useTimeKeys(value, onChange);
  const choose = (range: TimeRange) => {
    remember(range);
    onChange(range);
    setOpen(false);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      middlewares={{ flip: true, shift: true, size: { padding: 8 } }}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          leftSection={<IconClock size={14} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          onClick={() => setOpen((open) => !open)}
          aria-label={t('range.button', { range: `${label(value)} ${zoneOffset(timeZone, Date.now())}` })}
        >
          {label(value)} <span className={classes.zone}>{zoneOffset(timeZone, Date.now())}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0} className={classes.dropdown} aria-label={t('range.title')}>
        <div className={classes.panel}>
          <RangeList
            title={t('range.quick')}
            ranges={QUICK_RANGES.map(lastRange)}
            value={value}
            onChoose={choose}
          />
          <div className={classes.absolute}>
            <AbsoluteRangeForm value={value} onApply={choose} />
            <RangeList title={t('range.recent')} ranges={recentRanges()} value={value} onChoose={choose} />
          </div>
        </div>
        <Group className={classes.foot} justify="space-between">
          <TimeZoneSelect />
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}

interface RangeListProps {
  readonly title: string;
  readonly ranges: readonly TimeRange[];
  readonly value: TimeRange;
  readonly onChoose: (range: TimeRange) => void;
}

function RangeList({ title, ranges, value, onChoose }: RangeListProps) {
  const label = useRangeLabel();
  if (ranges.length === 0) return null;
  return (
    <div className={classes.list}>
      <div className={classes.caption}>{title}</div>
      {ranges.map((range) => (
        <button
          key={`${range.from}|${range.to}`}
          type="button"
          className={classes.item}
          data-chosen={range.from === value.from && range.to === value.to ? true : undefined}
          onClick={() => onChoose(range)}
        >
          {label(range)}
        </button>
      ))}
    </div>
  );
}

function recentRanges(): readonly TimeRange[] {
  return readStored<TimeRange[]>('prefs.recentRanges') ?? [];
}

/** Keeps the range among the recent ones, unless it is one of the quick ones. */
function remember(range: TimeRange): void {
  const span = quickSpan(range);
  if (span && (QUICK_RANGES as readonly string[]).includes(span)) return;
  const others = recentRanges().filter((one) => one.from !== range.from || one.to !== range.to);
  writeStored('prefs.recentRanges', [range, ...others].slice(0, KEPT));
}
