import { resolveTime, type SearchRange, say, sayOfField, type TimeText } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';

/**
 * The range that a call asks for, epoch milliseconds, half-open. Throws AppError `bad-input` when a bound is no
 * time or the range is empty.
 */
export function resolveRange(
  asked: { readonly from: TimeText; readonly to: TimeText; readonly query_timezone?: string },
  nowMs: number,
): SearchRange {
  const zone = asked.query_timezone ?? 'UTC';
  const from = resolveTime(asked.from, { nowMs, zone, edge: 'from' });
  const to = resolveTime(asked.to, { nowMs, zone, edge: 'to' });
  for (const [name, value] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (value === null) {
      throw new AppError('bad-input', sayOfField(name, say('reasons.notATime')));
    }
  }
  if (from === null || to === null || from >= to) {
    throw new AppError('bad-input', say('search.emptyRange'));
  }
  return { from, to };
}
