import type { CollectedSource } from '@tyrian/contract';

/** What the address calls a line: the id of the source, or the name that a sender gives. */
export const rowIdOf = (source: Pick<CollectedSource, 'source_id' | 'source'>): string =>
  source.source_id ?? `name:${source.source}`;

/** A part of a whole in percent, `–` of nothing. */
export function shareOf(part: number, whole: number, locale: string): string {
  if (whole === 0) return '–';
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(part / whole);
}
