import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { absoluteRange, type ResolvedRange, widenRange } from '../../lib/time-range.ts';
import { EventHistogram } from '../../query-kit/results/event-histogram.tsx';
import { CutText } from '../../ui/cut-text.tsx';
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
export function SignalStrip({ queue, link, range, zone, change }: SignalStripProps) {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const { facets, slices } = queue;
  const data = facets.data;
  const filterEntity = (role: 'suspect' | 'target') => (bar: Bar) =>
    change({
      entities: toggleEntity(link, { role, type: bar.type ?? '', value: bar.label, keep: true }).entities,
    });
  const widen = () => {
    const wider = widenRange(range);
    change(absoluteRange(wider.from, Math.min(wider.to, Date.now())));
  };
  return (
    <section className={styles.strip} aria-label={t('strip.label')}>
      <div className={styles.chart}>
        {slices.data ? (
          <EventHistogram
            times={slices.data.map((slice) => slice.time)}
            bucketMs={sliceMs(range)}
            series={[{ value: t('title'), counts: slices.data.map((slice) => slice.count) }]}
            range={range}
            zone={zone}
            locale={locale}
            height={118}
            shape="area"
            label={t('strip.overTime')}
            onNarrow={(from, to) => change(absoluteRange(from, to))}
            onWiden={widen}
          />
        ) : (
          <Skeleton height={110} />
        )}
      </div>
      <dl className={styles.counters}>
        {(['signals', 'suspects', 'targets', 'detections'] as const).map((name) => (
          <div key={name}>
            <dt>{t(`strip.${name}`)}</dt>
            <dd>{data ? formatInteger(data.totals[name], locale) : '–'}</dd>
          </div>
        ))}
      </dl>
      <BarList
        title={t('strip.topSuspects')}
        bars={(data?.suspects ?? []).map((each) => ({
          label: each.value,
          type: each.type,
          count: each.count,
        }))}
        isOn={(bar) => link.entities.some((each) => each.role === 'suspect' && each.value === bar.label)}
        onBar={filterEntity('suspect')}
      />
      <BarList
        title={t('strip.topTargets')}
        bars={(data?.targets ?? []).map((each) => ({
          label: each.value,
          type: each.type,
          count: each.count,
        }))}
        isOn={(bar) => link.entities.some((each) => each.role === 'target' && each.value === bar.label)}
        onBar={filterEntity('target')}
      />
      <BarList
        title={t('strip.topDetections')}
        bars={(data?.detections ?? []).map((each) => ({
          label: each.name,
          count: each.count,
          score: each.score,
        }))}
        isOn={(bar) => link.filters.workbook_name?.includes(bar.label) ?? false}
        onBar={(bar) => change({ filters: toggleFilter(link, 'workbook_name', bar.label).filters })}
      />
    </section>
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
  readonly bars: readonly Bar[];
  readonly isOn: (bar: Bar) => boolean;
  readonly onBar: (bar: Bar) => void;
}) {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const bars = props.bars.slice(0, TOP);
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  return (
    <div className={styles.top}>
      <h2>{props.title}</h2>
      {bars.length === 0 && <p className={styles.none}>{t('strip.none')}</p>}
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
