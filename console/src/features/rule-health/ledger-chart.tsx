import type { LedgerBucket, OutputOf, readLedgerPicture } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { formatDuration, formatTime } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';
import styles from './rule-health.module.css';

type Picture = OutputOf<typeof readLedgerPicture>;

const WIDTH = 960;
const BAND_TOP = 62;
const BAND = 26;
const BARS = 48;

interface LedgerChartProps {
  readonly picture: Picture;
  readonly range: { readonly start: number; readonly end: number };
}

/**
 * The ledger as a picture: below what of each part was evaluated, is missing or failed, above it the signals, on top where
 * windows ran again. The table below says the same in words.
 */
export function LedgerChart({ picture, range }: LedgerChartProps) {
  const { t } = useTranslation('rule-health');
  const { timeZone, locale } = useSettings();
  const { buckets } = picture;
  const width = WIDTH / Math.max(1, buckets.length);
  const most = Math.max(1, ...buckets.map(({ signals }) => signals));
  const at = (time: number) => formatTime(time, 'seconds', timeZone, locale).slice(0, 16);
  return (
    <figure style={{ margin: 0 }}>
      <h3 className={styles.caption}>{t('ledger.title')}</h3>
      <svg
        className={styles.picture}
        viewBox={`0 0 ${WIDTH} 92`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary(t, picture, locale)}
      >
        <defs>
          <pattern id="ledger-gap" width="8" height="8" patternUnits="userSpaceOnUse">
            <rect width="8" height="8" className={styles.none} />
            <path d="M0 8 L8 0" stroke="var(--bad)" strokeWidth="3" />
          </pattern>
        </defs>
        {buckets.map((bucket, index) => (
          <Part
            key={bucket.from}
            bucket={bucket}
            x={index * width}
            width={width}
            most={most}
            title={titleOf(t, bucket, at, locale)}
          />
        ))}
      </svg>
      <div className={styles.axis} aria-hidden>
        <span>{at(range.start)}</span>
        <span>{at((range.start + range.end) / 2)}</span>
        <span>{at(range.end)}</span>
      </div>
      <figcaption className={styles.legend}>
        <Key className={styles.covered} label={t('ledger.covered')} />
        <Key fill="url(#ledger-gap)" label={t('columns.gaps')} />
        <Key className={styles.failed} label={t('ledger.failedWindows')} />
        <Key className={styles.rerun} label={t('columns.reruns')} isRound />
        <Key className={styles.signals} label={t('columns.signals')} />
      </figcaption>
    </figure>
  );
}

interface PartProps {
  readonly bucket: LedgerBucket;
  readonly x: number;
  readonly width: number;
  readonly most: number;
  readonly title: string;
}

function Part({ bucket, x, width, most, title }: PartProps) {
  const length = bucket.to - bucket.from;
  const share = (ms: number): number => Math.min(1, ms / length);
  const bar = Math.max(0.6, width - 0.8);
  const covered = BAND * share(bucket.covered_ms);
  // What is missing or failed is seen even where it is short.
  const gap = bucket.gap_ms > 0 ? Math.max(5, BAND * share(bucket.gap_ms)) : 0;
  const failed = bucket.failed_ms > 0 ? Math.max(5, BAND * share(bucket.failed_ms)) : 0;
  const signals =
    bucket.signals > 0 ? Math.max(4, (BARS * Math.log1p(bucket.signals)) / Math.log1p(most)) : 0;
  return (
    <g>
      <title>{title}</title>
      <rect x={x} y={BAND_TOP} width={bar} height={BAND} className={styles.none} />
      <rect x={x} y={BAND_TOP + BAND - covered} width={bar} height={covered} className={styles.covered} />
      <rect x={x} y={BAND_TOP} width={bar} height={failed} className={styles.failed} />
      <rect x={x} y={BAND_TOP} width={bar} height={gap} fill="url(#ledger-gap)" />
      <rect x={x} y={BAND_TOP - 2 - signals} width={bar} height={signals} className={styles.signals} />
      {bucket.reruns > 0 && <rect x={x} y={2} width={bar} height={6} className={styles.rerun} />}
    </g>
  );
}

interface KeyProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly fill?: string;
  readonly isRound?: boolean;
}

function Key({ label, className, fill, isRound }: KeyProps) {
  return (
    <span>
      <svg viewBox="0 0 12 12" aria-hidden className={styles.swatch}>
        <rect y={isRound ? 4 : 0} width="12" height={isRound ? 5 : 12} className={className} fill={fill} />
      </svg>
      {label}
    </span>
  );
}

function titleOf(t: TFunction, bucket: LedgerBucket, at: (time: number) => string, locale: string): string {
  const said = [`${at(bucket.from)} – ${at(bucket.to)}`];
  const time = (name: string, ms: number) => {
    if (ms > 0) said.push(`${t(name)}: ${formatDuration(ms)}`);
  };
  const figure = (name: string, count: number) => {
    if (count > 0) said.push(`${t(name)}: ${formatInteger(count, locale)}`);
  };
  time('ledger.covered', bucket.covered_ms);
  time('columns.gaps', bucket.gap_ms);
  time('ledger.failedWindows', bucket.failed_ms);
  figure('columns.reruns', bucket.reruns);
  figure('ledger.retries', bucket.retries);
  figure('columns.signals', bucket.signals);
  return said.join('\n');
}

/** The picture in a sentence, for whoever does not see it. */
function summary(t: TFunction, { buckets, gap_count }: Picture, locale: string): string {
  const sum = (of: (bucket: LedgerBucket) => number) => buckets.reduce((all, bucket) => all + of(bucket), 0);
  const number = (value: number) => formatInteger(value, locale);
  return t('ledger.summary', {
    covered: formatDuration(sum((one) => one.covered_ms)),
    gaps: number(gap_count),
    failed: number(buckets.filter((one) => one.failed_ms > 0).length),
    reruns: number(sum((one) => one.reruns)),
    signals: number(sum((one) => one.signals)),
  });
}
