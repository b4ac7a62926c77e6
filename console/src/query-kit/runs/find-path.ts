import { scopePath } from '../../lib/scope-path.ts';
import type { Selection } from '../../lib/session-store.ts';
import { absoluteRange } from '../../lib/time-range.ts';
import { kqlString } from '../editor/kql-literal.ts';
import { EMPTY_LINK, writeSearchLink } from './search-link.ts';

/** Path of Find with a query over a time range in epoch milliseconds. */
export function findPath(
  scope: Selection,
  query: string,
  range: { readonly from: number; readonly to: number },
): string {
  const link = { ...EMPTY_LINK, query, ...absoluteRange(range.from, range.to) };
  return `${scopePath(scope, '/workbook/new')}?${writeSearchLink(link)}`;
}

/** KQL for the events of all streams that hold a value anywhere. */
export const eventsWith = (value: string): string => `Events\n| search ${kqlString(value)}`;
