import type { EnrichmentTable, EnrichmentTableKind } from '@tyrian/contract';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import type { StateTone } from '../../ui/state-mark.tsx';

/** Paths at the place of the session. */
export function useEnrichmentPaths() {
  const scope = useScope();
  const list = scopePath(scope, '/system/enrichment');
  return {
    list,
    geo: scopePath(scope, '/system/geodb'),
    table: (kind: EnrichmentTableKind, id: string): string => `${list}/${kind}/${encodeURIComponent(id)}`,
    hunts: (huntId = ''): string =>
      `${list}?tab=hunts${huntId === '' ? '' : `&hunt=${encodeURIComponent(huntId)}`}`,
  };
}

export type TableState = 'on' | 'off' | 'building' | 'failed' | 'empty';

export const STATE_TONES: Readonly<Record<TableState, StateTone>> = {
  on: 'good',
  off: 'quiet',
  building: 'quiet',
  failed: 'bad',
  empty: 'warn',
};

/** What a list shows of a table in a word. */
export function stateOf({ enabled, is_building, last_build, rows }: EnrichmentTable): TableState {
  if (!enabled) return 'off';
  if (is_building) return 'building';
  if (last_build?.error) return 'failed';
  return rows === 0 ? 'empty' : 'on';
}

/** The share of look-ups that knew something, in percent; null while nothing was looked up. */
export const hitRate = ({ looked_7d, hits_7d }: EnrichmentTable): number | null =>
  looked_7d === 0 ? null : (100 * hits_7d) / looked_7d;

/** Below a thousandth of a percent it is told as that much: a hit is never told as none. */
export function rateText(percent: number | null, locale: string): string {
  if (percent === null) return '–';
  if (percent > 0 && percent < 0.001) return `< ${(0.001).toLocaleString(locale)} %`;
  return `${percent.toLocaleString(locale, { maximumSignificantDigits: 3 })} %`;
}

/** Characters of a part of an upload; a call takes some of them. */
const PART = 400_000;

/** A text as the parts that a call takes. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += PART) parts.push(text.slice(at, at + PART));
  return parts;
}
