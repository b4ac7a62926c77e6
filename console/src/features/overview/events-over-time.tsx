import { Skeleton } from '@mantine/core';
import type { ScopeOverview } from '@tyrian/contract';
import { type MouseEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { formatCount } from '../../lib/format-number.ts';
import { formatTime } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';
import { absoluteRange, type ResolvedRange } from '../../lib/time-range.ts';
import { HiddenTable } from '../../ui/hidden-table.tsx';
import classes from './events-over-time.module.css';
import { FigureLink } from './figure-link.tsx';
import { OTHER, type Slice, type Stack, stackSlices } from './stack-slices.ts';
import type { OverviewLinks } from './use-overview-links.ts';

const HEIGHT = 100;

interface EventsOverTimeProps {
  readonly data: ScopeOverview | undefined;
  readonly range: ResolvedRange | undefined;
  /** Ways to the events; null for whoever may see figures only. */
  readonly links: OverviewLinks | null;
}

/** Stacked bars of events by stream; the table behind them serves screen readers. */
export function EventsOverTime({ data, range, links }: EventsOverTimeProps) {
  const stack = useMemo(() => (data && range ? stackSlices(data, range) : null), [data, range]);
  const [hovered, setHovered] = useState<number | null>(null);
  const navigate = useNavigate();
  if (!stack) return <Skeleton height={220} />;
  const slice = hovered === null ? null : stack.slices[hovered];
  const open =
    links && data
      ? (name: string | null, time: number) =>
          void navigate(links.stream(name, absoluteRange(time, time + data.interval_ms)))
      : undefined;
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
            <Bar key={one.time} slice={one} index={index} stack={stack} onHover={setHovered} onOpen={open} />
          ))}
        </svg>
        <TimeAxis slices={stack.slices} />
      </div>
      <Legend stack={stack} slice={slice ?? null} linkOf={links?.stream} />
      <SliceTable stack={stack} />
    </div>
  );
}

interface BarProps {
  readonly slice: Slice;
  readonly index: number;
  readonly stack: Stack;
  readonly onHover: (index: number) => void;
  /** Opens the events of the slice: those of one stream, or with null all of them. */
  readonly onOpen: ((stream: string | null, time: number) => void) | undefined;
}

function Bar({ slice, index, stack, onHover, onOpen }: BarProps) {
  let top = HEIGHT;
  // By key the legend and the time range lead to the same events.
  const open = (event: MouseEvent<SVGGElement>) =>
    onOpen?.((event.target as SVGElement).dataset.stream ?? null, slice.time);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only repeats what the table says
    <g onMouseEnter={() => onHover(index)} onClick={open} className={onOpen && classes.opens}>
      <rect x={index} y={0} width={1} height={HEIGHT} className={classes.catch} />
      {slice.counts.map((count, at) => {
        const height = (count / stack.most) * HEIGHT;
        top -= height;
        const name = stack.series[at] ?? OTHER;
        return height > 0 ? (
          <rect
            key={name}
            x={index + 0.08}
            y={top}
            width={0.84}
            height={height}
            data-stream={name === OTHER ? undefined : name}
            style={{ fill: seriesColor(name, at) }}
          />
        ) : null;
      })}
    </g>
  );
}

interface LegendProps {
  readonly stack: Stack;
  readonly slice: Slice | null;
  readonly linkOf: OverviewLinks['stream'] | undefined;
}

function Legend({ stack, slice, linkOf }: LegendProps) {
  const { t } = useTranslation('overview');
  const { timeZone, locale } = useSettings();
  const totals = stack.series.map((_, at) =>
    stack.slices.reduce((sum, one) => sum + (one.counts[at] ?? 0), 0),
  );
  return (
    <div className={classes.legend}>
      <div className={classes.when}>
        {slice ? formatTime(slice.time, 'seconds', timeZone, locale) : t('wholeRange')}
      </div>
      {stack.series.map((name, at) => (
        <FigureLink key={name} to={name === OTHER ? undefined : linkOf?.(name)} className={classes.entry}>
          <span className={classes.swatch} style={{ background: seriesColor(name, at) }} aria-hidden />
          <span className={classes.name}>{name === OTHER ? t('other') : name}</span>
          <span>{formatCount((slice ? slice.counts[at] : totals[at]) ?? 0)}</span>
        </FigureLink>
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
    <HiddenTable
      caption={t('events')}
      heads={[t('time'), ...stack.series.map((name) => (name === OTHER ? t('other') : name))]}
      rows={stack.slices.map((slice) => ({
        key: slice.time,
        cells: [formatTime(slice.time, 'seconds', timeZone, locale), ...slice.counts],
      }))}
    />
  );
}

function seriesColor(name: string, at: number): string {
  return name === OTHER ? 'var(--chart-other)' : `var(--chart-${at + 1})`;
}
