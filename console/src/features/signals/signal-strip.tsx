import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { absoluteRange, type ResolvedRange, widenRange } from '../../lib/time-range.ts';
import { EventHistogram } from '../../query-kit/results/event-histogram.tsx';
import { CutText } from '../../ui/cut-text.tsx';
import { NotLoaded } from '../../ui/not-loaded.tsx';
import { ScoreTile } from '../../ui/score-tile.tsx';
import { type SignalLink, toggleEntity, toggleFilter } from './signal-link.ts';
import styles from './signal-strip.module.css';
import { sliceMs, type useSignalQueue } from './use-signal-queue.ts';

interface SignalStripProps {
  readonly queue: ReturnType<typeof useSignalQueue>;
  readonly link: SignalLink;
  readonly range: ResolvedRange;
  readonly zone: string;
  readonly change: (next: Partial<SignalLink>) => void;
}

const TOP = 5;

/** The selection at a glance: over time, in four numbers, and its most frequent names. */
export function SignalStrip(props: SignalStripProps) {
  const { queue, link, change } = props;
  const { t } = useTranslation('signals');
  const { data, isLoadingError: isFailed } = queue.facets;
  return (
    <section className={styles.strip} aria-label={t('strip.label')}>
      <div className={styles.chart}>
        <OverTime {...props} />
      </div>
      <Counters totals={data?.totals} />
      <EntityBars
        part="suspect"
        title={t('strip.topSuspects')}
        entities={data?.suspects}
        {...{ isFailed, link, change }}
      />
      <EntityBars
        part="target"
        title={t('strip.topTargets')}
        entities={data?.targets}
        {...{ isFailed, link, change }}
      />
      <BarList
        title={t('strip.topDetections')}
        bars={data?.detections.map(({ name, count, score }) => ({ label: name, count, score }))}
        isFailed={isFailed}
        isOn={(bar) => link.filters.workbook_name?.includes(bar.label) ?? false}
        onBar={(bar) => change({ filters: toggleFilter(link, 'workbook_name', bar.label).filters })}
      />
    </section>
  );
}

/** Dragging narrows the range, a double click widens it, never beyond now. */
function OverTime({ queue, range, zone, change }: SignalStripProps) {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const slices = queue.slices.data;
  if (queue.slices.isLoadingError) return <NotLoaded />;
  if (!slices) return <Skeleton height={110} />;
  const widen = () => {
    const wider = widenRange(range);
    change(absoluteRange(wider.from, Math.min(wider.to, Date.now())));
  };
  return (
    <EventHistogram
      times={slices.map((slice) => slice.time)}
      bucketMs={sliceMs(range)}
      series={[{ value: t('title'), counts: slices.map((slice) => slice.count) }]}
      range={range}
      zone={zone}
      locale={locale}
      height={118}
      shape="area"
      label={t('strip.overTime')}
      onNarrow={(from, to) => change(absoluteRange(from, to))}
      onWiden={widen}
    />
  );
}

type Facets = NonNullable<SignalStripProps['queue']['facets']['data']>;

function Counters({ totals }: { readonly totals: Facets['totals'] | undefined }) {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  return (
    <dl className={styles.counters}>
      {(['signals', 'suspects', 'targets', 'detections'] as const).map((name) => (
        <div key={name}>
          <dt>{t(`strip.${name}`)}</dt>
          <dd>{totals ? formatInteger(totals[name], locale) : '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

interface EntityBarsProps extends Pick<SignalStripProps, 'link' | 'change'> {
  readonly part: 'suspect' | 'target';
  readonly title: string;
  readonly entities: Facets['suspects'] | undefined;
  readonly isFailed: boolean;
}

/** The most frequent entities in a part; a click filters by one. */
function EntityBars({ part, title, entities, isFailed, link, change }: EntityBarsProps) {
  const filter = (bar: Bar) => {
    const entity = { role: part, type: bar.type ?? '', value: bar.label, keep: true };
    change({ entities: toggleEntity(link, entity).entities });
  };
  return (
    <BarList
      title={title}
      bars={entities?.map(({ value, type, count }) => ({ label: value, type, count }))}
      isFailed={isFailed}
      isOn={(bar) => link.entities.some((each) => each.role === part && each.value === bar.label)}
      onBar={filter}
    />
  );
}

interface Bar {
  readonly label: string;
  readonly type?: string;
  readonly count: number;
  readonly score?: number;
}

function BarList(props: {
  readonly title: string;
  /** Undefined until they are known. */
  readonly bars: readonly Bar[] | undefined;
  readonly isFailed: boolean;
  readonly isOn: (bar: Bar) => boolean;
  readonly onBar: (bar: Bar) => void;
}) {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const bars = (props.bars ?? []).slice(0, TOP);
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  return (
    <div className={styles.top}>
      <h2>{props.title}</h2>
      {props.isFailed && <NotLoaded />}
      {props.bars?.length === 0 && <p className={styles.none}>{t('strip.none')}</p>}
      <ul>
        {bars.map((bar) => (
          <li key={`${bar.type ?? ''} ${bar.label}`}>
            <button
              type="button"
              aria-pressed={props.isOn(bar)}
              onClick={() => props.onBar(bar)}
              title={bar.label}
            >
              <span className={styles.fill} style={{ width: `${(100 * bar.count) / most}%` }} aria-hidden />
              {bar.score !== undefined && <ScoreTile score={bar.score} isSmall />}
              <span className={styles.label}>
                <CutText value={bar.label} />
              </span>
              <span className={styles.count}>{formatInteger(bar.count, locale)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
