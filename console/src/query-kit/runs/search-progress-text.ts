import type { TFunction } from 'i18next';
import { formatBytes, formatCount, formatInteger } from '../../lib/format-number.ts';
import { formatDuration } from '../../lib/format-time.ts';
import type { SearchProgress, SearchSnapshot } from './run-search.ts';

// The one status line of Find: real figures while it runs, what came out when it is done.

/** `Reading: 1.2M events · 3.4 GB · 45 % · 2 s`. */
export function progressText(progress: SearchProgress, t: TFunction<'search'>): string {
  if (progress.queued) return t('status.queued', { time: formatDuration(progress.elapsedMs) });
  const share = Math.min(99, Math.floor(progress.share * 100));
  return [
    t('status.reading', { rows: formatCount(progress.rowsRead) }),
    formatBytes(progress.bytesRead),
    ...(share > 0 ? [t('status.share', { share })] : []),
    formatDuration(progress.elapsedMs),
  ].join(' · ');
}

/**
 * `1,284 rows · 0.4 s · 1.2M events read · 3.4 GB`; says when there is more than is shown, and of how many where that
 * is known.
 */
export function resultText(
  snapshot: SearchSnapshot,
  t: TFunction<'search'>,
  locale: string,
  total: number | null = null,
): string {
  const { rows, truncated, progress, status } = snapshot;
  const count = formatInteger(rows.length, locale);
  const isOf = truncated && total !== null && total > rows.length;
  const shown = isOf
    ? t('status.firstOf', { count: total, rows: count, total: formatInteger(total, locale) })
    : truncated
      ? t('status.firstRows', { count: rows.length, rows: count })
      : t('status.rows', { count: rows.length, rows: count });
  return [
    ...(status === 'stopped' ? [t('status.partial')] : []),
    shown,
    formatDuration(progress.elapsedMs),
    t('status.read', { rows: formatCount(progress.rowsRead) }),
    formatBytes(progress.bytesRead),
  ].join(' · ');
}

/** `Reads about 1.2M events, 3.4 GB`, or that there is nothing to read. */
export function costText(
  cost: { readonly scan_rows: number; readonly scan_bytes: number },
  t: TFunction<'search'>,
): string {
  if (cost.scan_rows === 0) return t('cost.nothing');
  return t('cost.about', { rows: formatCount(cost.scan_rows), bytes: formatBytes(cost.scan_bytes) });
}
