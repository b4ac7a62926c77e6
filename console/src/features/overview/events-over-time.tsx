import { Skeleton } from '@mantine/core';
import type { ScopeOverview } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format-number.ts';
import { formatTime } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';
import type { ResolvedRange } from '../../lib/time-range.ts';
import classes from './events-over-time.module.css';
import { OTHER, type Slice, type Stack, stackSlices } from './stack-slices.ts';

const HEIGHT = 100;

interface EventsOverTimeProps {
  readonly data: ScopeOverview | undefined;
  readonly range: ResolvedRange | undefined;
}

/** Stacked bars of events by stream; the table behind them serves screen readers. */
export function EventsOverTime({ data, range }: EventsOverTimeProps) {
  const stack = useMemo(() => (data && range ? stackSlices(data, range) : null), [data, range]);
  const [hovered, setHovered] = useState<number | null>(null);
  if (!stack) return <Skeleton height={220} />;
  const slice = hovered === null ? null : stack.slices[hovered];
  return (
    <div className={classes.chart}>
      <div className={classes.plot}>
        <span className={classes.most}>{formatCount(stack.most)}</span>
        <svg
          viewBox={`0 0 ${stack.slices.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          className={classes.bars}
          aria-hidden
          onMouseLeave={() => setHovered(null)}
        >
          {stack.slices.map((one, index) => (
            <Bar key={one.time} slice={one} index={index} stack={stack} onHover={setHovered} />
          ))}
        </svg>
        <TimeAxis slices={stack.slices} />
      </div>
      <Legend stack={stack} slice={slice ?? null} />
      <SliceTable stack={stack} />
    </div>
  );
}

interface BarProps {
  readonly slice: Slice;
  readonly index: number;
  readonly stack: Stack;
  readonly onHover: (index: number) => void;
}

function Bar({ slice, index, stack, onHover }: BarProps) {
  let top = HEIGHT;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only repeats what the table says
    <g onMouseEnter={() => onHover(index)}>
      <rect x={index} y={0} width={1} height={HEIGHT} className={classes.catch} />
      {slice.counts.map((count, at) => {
        const height = (count / stack.most) * HEIGHT;
        top -= height;
        return height > 0 ? (
          <rect
            key={stack.series[at]}
            x={index + 0.08}
            y={top}
            width={0.84}
            height={height}
            style={{ fill: seriesColor(stack.series[at] ?? OTHER, at) }}
          />
        ) : null;
      })}
    </g>
  );
}

function Legend({ stack, slice }: { readonly stack: Stack; readonly slice: Slice | null }) {
  const { t } = useTranslation('overview');
  const { timeZone, locale } = useSettings();
  const totals = stack.series.map((_, at) =>
    stack.slices.reduce((sum, one) => sum + (one.counts[at] ?? 0), 0),
  );
  return (
    <div className={classes.legend}>
      <div className={classes.when}>
        {slice ? formatTime(slice.time, 'dateTime', timeZone, locale) : t('wholeRange')}
      </div>
      {stack.series.map((name, at) => (
        <div key={name} className={classes.entry}>
          <span className={classes.swatch} style={{ background: seriesColor(name, at) }} aria-hidden />
          <span className={classes.name}>{name === OTHER ? t('other') : name}</span>
          <span>{formatCount((slice ? slice.counts[at] : totals[at]) ?? 0)}</span>
        </div>
      ))}
    </div>
  );
}

const TICKS = 6;
const DAY_MS = 86_400_000;

function TimeAxis({ slices }: { readonly slices: readonly Slice[] }) {
  const { timeZone, locale } = useSettings();
  const step = Math.max(1, Math.ceil(slices.length / TICKS));
  const isLong = (slices.at(-1)?.time ?? 0) - (slices[0]?.time ?? 0) > 2 * DAY_MS;
  const label = (time: number) =>
    isLong
      ? formatTime(time, 'monthDayYear', timeZone, locale).split(',')[0]
      : formatTime(time, 'clock', timeZone, locale).slice(0, 5);
  return (
    <div className={classes.axis} aria-hidden>
      {slices.map((slice, index) =>
        index % step === 0 ? (
          <span key={slice.time} style={{ left: `${(index / slices.length) * 100}%` }}>
            {label(slice.time)}
          </span>
        ) : null,
      )}
    </div>
  );
}

function SliceTable({ stack }: { readonly stack: Stack }) {
  const { t } = useTranslation('overview');
  const { timeZone, locale } = useSettings();
  return (
    <table className="visually-hidden">
      <caption>{t('events')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('time')}</th>
          {stack.series.map((name) => (
            <th key={name} scope="col">
              {name === OTHER ? t('other') : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {stack.slices.map((slice) => (
          <tr key={slice.time}>
            <th scope="row">{formatTime(slice.time, 'dateTime', timeZone, locale)}</th>
            {stack.series.map((name, at) => (
              <td key={name}>{slice.counts[at]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function seriesColor(name: string, at: number): string {
  return name === OTHER ? 'var(--chart-other)' : `var(--chart-${at + 1})`;
}
