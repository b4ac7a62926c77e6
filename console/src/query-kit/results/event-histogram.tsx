import { useElementSize } from '@mantine/hooks';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { formatTime } from '../../lib/format-time.ts';
import { HiddenTable } from '../../ui/hidden-table.tsx';
import styles from './event-histogram.module.css';
import { timeTicks } from './time-ticks.ts';
import { type Selected, selectedBuckets, useHistogramBrush } from './use-histogram-brush.ts';

// Events over time as stacked bars. A click on a bar, dragging, or Shift with the arrow keys and Enter narrow the range;
// a double click widens it. It is drawn as SVG by hand: a few hundred rectangles need no chart library.

export interface HistogramSeries {
  /** Null: all the values that have no series of their own. */
  readonly value: string | null;
  readonly counts: readonly number[];
}

interface EventHistogramProps {
  readonly times: readonly number[];
  readonly bucketMs: number;
  readonly series: readonly HistogramSeries[];
  readonly range: { readonly from: number; readonly to: number };
  readonly zone: string;
  readonly locale: string;
  readonly height?: number;
  /** `area`: one shape of the totals instead of stacked bars. */
  readonly shape?: 'bars' | 'area';
  /** What is counted, for who can't see it. */
  readonly label?: string;
  /** What a value is called; itself unless told. */
  readonly nameOf?: (value: string) => string;
  readonly onNarrow: (from: number, to: number) => void;
  readonly onWiden: () => void;
}

const AXIS_PX = 18;
/** Room for the highest count, so that no bar stands behind its label. */
const TOP_PX = 16;

/** Token of a series: eight hues, then the ninth for all the rest. */
export function seriesColour(index: number, value: string | null): string {
  return value === null || index > 7 ? 'var(--chart-other)' : `var(--chart-${index + 1})`;
}

export function EventHistogram(props: EventHistogramProps) {
  const { times, bucketMs, series, range, zone, locale, height = 96, shape = 'bars' } = props;
  const { t } = useTranslation('search');
  const { ref, width } = useElementSize<HTMLDivElement>();
  const label = props.label ?? t('histogram.label');
  const plotHeight = height - AXIS_PX - TOP_PX;
  const totals = useTotals(times, series);
  const isFilled = (bucket: number) => (totals[bucket] ?? 0) > 0;
  const { hovered, selected, handlers } = useHistogramBrush({ ...props, isFilled });
  const highest = Math.max(1, ...totals);
  const x = (time: number) => ((time - range.from) / (range.to - range.from)) * width;
  const at = hovered ?? 0;
  const said = `${formatTime(times[at] ?? range.from, 'iso', zone).slice(0, 19)}: ${totals[at] ?? 0}`;
  return (
    <div className={styles.frame} ref={ref}>
      <div
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={at}
        aria-valuetext={said}
        style={{ height }}
        {...handlers}
      >
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true">
            <line className={styles.base} x1={0} x2={width} y1={height - AXIS_PX} y2={height - AXIS_PX} />
            {shape === 'area' ? (
              <Area {...{ times, totals, highest, plotHeight, x, bucketMs }} />
            ) : (
              <Bars {...{ times, series, hovered, highest, plotHeight, x, bucketMs }} />
            )}
            {selected && <Selection {...{ selected, times, bucketMs, x, plotHeight }} />}
            <Ticks {...{ range, zone, x, width }} y={height - 4} />
          </svg>
        )}
        {totals.some((total) => total > 0) && (
          <span className={styles.highest}>{formatInteger(highest, locale)}</span>
        )}
        {hovered !== null && <Reading {...props} {...{ hovered, totals, width, x }} />}
      </div>
      <Totals {...{ label, times, totals, zone, locale }} />
    </div>
  );
}

interface TotalsProps extends Pick<EventHistogramProps, 'times' | 'zone' | 'locale'> {
  readonly label: string;
  readonly totals: readonly number[];
}

/** The same as a table, for who can't see the bars. */
function Totals({ label, times, totals, zone, locale }: TotalsProps) {
  return (
    <HiddenTable
      caption={label}
      rows={times.map((time, index) => ({
        key: time,
        cells: [formatTime(time, 'iso', zone).slice(0, 19), formatInteger(totals[index] ?? 0, locale)],
      }))}
    />
  );
}

/** Of each time, what all series count together. */
function useTotals(times: readonly number[], series: readonly HistogramSeries[]): readonly number[] {
  return useMemo(
    () => times.map((_, index) => series.reduce((sum, each) => sum + (each.counts[index] ?? 0), 0)),
    [times, series],
  );
}

interface TicksProps extends Pick<EventHistogramProps, 'range' | 'zone'> {
  readonly x: (time: number) => number;
  readonly y: number;
  readonly width: number;
}

function Ticks({ range, zone, x, y, width }: TicksProps) {
  return timeTicks(range.from, range.to, Math.floor(width / 90), zone).map((tick) => (
    <text key={tick.time} className={styles.tick} x={inside(x(tick.time), width)} y={y}>
      {tick.label}
    </text>
  ));
}

/** Keeps a label in the picture. */
const inside = (at: number, width: number): number => Math.max(18, Math.min(width - 18, at));

interface BarsProps {
  readonly times: readonly number[];
  readonly series: readonly HistogramSeries[];
  readonly hovered: number | null;
  readonly highest: number;
  readonly plotHeight: number;
  readonly bucketMs: number;
  readonly x: (time: number) => number;
}

function Bars({ times, series, hovered, highest, plotHeight, bucketMs, x }: BarsProps) {
  return times.map((time, index) => {
    let below = 0;
    const left = x(time);
    const width = Math.max(1, x(time + bucketMs) - left - 1);
    return (
      <g key={time} opacity={hovered === null || hovered === index ? 1 : 0.65}>
        {series.map((each, at) => {
          const count = each.counts[index] ?? 0;
          if (count === 0) return null;
          const size = Math.max(1, (count / highest) * plotHeight);
          below += size;
          const y = TOP_PX + plotHeight - below;
          return (
            <rect
              key={each.value ?? ''}
              x={left}
              y={y}
              width={width}
              height={size}
              style={{ fill: seriesColour(at, each.value) }}
            />
          );
        })}
      </g>
    );
  });
}

function Area(
  props: Pick<BarsProps, 'times' | 'highest' | 'plotHeight' | 'x' | 'bucketMs'> & {
    readonly totals: readonly number[];
  },
) {
  const { times, totals, highest, plotHeight, x, bucketMs } = props;
  const bottom = TOP_PX + plotHeight;
  const points = times.map(
    (time, index) => `${x(time + bucketMs / 2)},${bottom - ((totals[index] ?? 0) / highest) * plotHeight}`,
  );
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const line = points.join(' ');
  return (
    <g>
      <polygon
        className={styles.area}
        points={`${x(first + bucketMs / 2)},${bottom} ${line} ${x(last + bucketMs / 2)},${bottom}`}
      />
      <polyline className={styles.areaLine} points={line} />
    </g>
  );
}

function Selection(props: {
  readonly selected: Selected;
  readonly times: readonly number[];
  readonly bucketMs: number;
  readonly x: (time: number) => number;
  readonly plotHeight: number;
}) {
  const [first, after] = selectedBuckets(props.selected);
  const start = props.times[first] ?? 0;
  const left = props.x(start);
  const width = props.x(start + (after - first) * props.bucketMs) - left;
  return (
    <rect className={styles.selection} x={left} y={0} width={width} height={TOP_PX + props.plotHeight} />
  );
}

interface ReadingProps
  extends Pick<EventHistogramProps, 'times' | 'bucketMs' | 'series' | 'zone' | 'locale' | 'nameOf'> {
  readonly hovered: number;
  readonly totals: readonly number[];
  readonly width: number;
  readonly x: (time: number) => number;
}

function Reading(props: ReadingProps) {
  const { hovered, times, bucketMs, series, totals, zone, locale, width, x } = props;
  const { t } = useTranslation('search');
  const id = useId();
  const time = times[hovered] ?? 0;
  const left = x(time);
  const side = left > width / 2 ? { right: width - left + 8 } : { left: x(time + bucketMs) + 8 };
  const present = series
    .map((each, at) => ({ ...each, colour: seriesColour(at, each.value), count: each.counts[hovered] ?? 0 }))
    .filter((each) => each.count > 0)
    .slice(0, 8);
  return (
    <div className={styles.reading} style={side} role="status" id={id}>
      <div className={styles.readingTime}>
        {formatTime(time, 'iso', zone).slice(0, 19)} –{' '}
        {formatTime(time + bucketMs, 'iso', zone).slice(11, 19)}
      </div>
      <div>
        {t('histogram.events', {
          count: totals[hovered] ?? 0,
          events: formatInteger(totals[hovered] ?? 0, locale),
        })}
      </div>
      {present.length > 1 &&
        present.map((each) => (
          <div key={each.value ?? ''} className={styles.readingRow}>
            <span className={styles.swatch} style={{ background: each.colour }} />
            <span className={styles.readingName}>
              {seriesName(each.value, t('histogram.other'), t('values.empty'), props.nameOf)}
            </span>
            <span>{formatInteger(each.count, locale)}</span>
          </div>
        ))}
    </div>
  );
}

/** What a series is called: its value, or words for the rest and for the empty value. */
export function seriesName(
  value: string | null,
  other: string,
  empty: string,
  nameOf: (value: string) => string = (name) => name,
): string {
  return value === null ? other : value === '' ? empty : nameOf(value);
}
