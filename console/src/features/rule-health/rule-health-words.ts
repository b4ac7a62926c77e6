import type { RuleHealthItem } from '@tyrian/contract';
import { scopePath } from '../../lib/scope-path.ts';
import type { Selection } from '../../lib/session-store.ts';

/** `42 %` in the words of the locale; `–` for what is not known. */
export function shareText(share: number | null, locale: string): string {
  if (share === null) return '–';
  const digits = share > 0 && share < 0.1 ? 1 : 0;
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits }).format(share);
}

/** A figure with at most so many decimals. */
export const decimal = (value: number, locale: string, digits = 1): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value);

/** The page of a rule: its workbook, or the rule of a pack. */
export function rulePath(scope: Selection, { ID, kind }: Pick<RuleHealthItem, 'ID' | 'kind'>): string {
  const id = encodeURIComponent(ID);
  return scopePath(scope, kind === 'pack' ? `/rules/${id}` : `/workbook/view/${id}`);
}

/** The runs of a rule, opened in the list. */
export const runsPath = (scope: Selection, ID: string): string =>
  scopePath(scope, `/jobs/signals?${new URLSearchParams({ rule: ID })}`);
