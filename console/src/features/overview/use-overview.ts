import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ScopeOverview, scopeOverview } from '@tyrian/contract';
import { type CallError, call } from '../../lib/call.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { type ResolvedRange, resolveRange, type TimeRange } from '../../lib/time-range.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The figures of a range, read again each minute; a relative range moves on with every reading. */
export function useOverview(range: TimeRange) {
  const { clusterId, scopeId } = useScope();
  const { timeZone } = useSettings();
  return useQuery<{ readonly figures: ScopeOverview; readonly range: ResolvedRange }, CallError>({
    queryKey: [scopeOverview.name, clusterId, scopeId, range.from, range.to, timeZone],
    queryFn: async ({ signal }) => {
      const now = Date.now();
      const resolved = resolveRange(range, now, timeZone) ?? { from: now - DAY_MS, to: now };
      const input = { scope_id: scopeId, start: resolved.from, end: resolved.to };
      return {
        figures: await call(scopeOverview, { params: { clusterId }, input, signal }),
        range: resolved,
      };
    },
    refetchInterval: MINUTE_MS,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
}
