import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  listSignals,
  type OutputOf,
  signalFacetsResult,
  signalFacetsTask,
  signalTimeslices,
} from '@tyrian/contract';
import { useCallback, useMemo, useState } from 'react';
import { call } from '../../lib/call.ts';
import { resolveZone } from '../../lib/format-time.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { type ResolvedRange, resolveRange } from '../../lib/time-range.ts';
import { useAddress } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { readSignalLink, type SignalLink, signalSelection, writeSignalLink } from './signal-link.ts';

const FIRST_ROWS = 200;
const SLICES = 72;
const ROUND_MS = [
  60_000, 300_000, 900_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000, 86_400_000,
] as const;

export type SignalFacets = OutputOf<typeof signalFacetsResult>;

/** The next round width for about 72 slices. */
export function sliceMs(range: ResolvedRange): number {
  const wanted = (range.to - range.from) / SLICES;
  return ROUND_MS.find((each) => each >= wanted) ?? 86_400_000 * Math.ceil(wanted / 86_400_000);
}

/**
 * The link of the page with the range that it means now. A relative range stays where it is while rows are being read,
 * and moves on when other rows are asked for, or by `refresh`.
 */
export function useSignalLink() {
  const [params, changeAddress] = useAddress();
  const link = useMemo(() => readSignalLink(params), [params]);
  const zone = resolveZone(useSettings().timeZone);
  const [now, setNow] = useState(Date.now);
  const range = useMemo(
    () => resolveRange({ from: link.from, to: link.to }, now, zone) ?? { from: now - 86_400_000, to: now },
    [link.from, link.to, now, zone],
  );
  const change = useCallback(
    (next: Partial<SignalLink>, mode: 'push' | 'replace' = 'push') => {
      if (Object.keys(next).some((name) => name !== 'open' && name !== 'show')) setNow(Date.now());
      changeAddress((old) => writeSignalLink({ ...readSignalLink(old), ...next }), {
        replace: mode === 'replace',
      });
    },
    [changeAddress],
  );
  const refresh = () => setNow(Date.now());
  return { link, range, zone, change, refresh, isOpenEnded: link.to.startsWith('now') };
}

/** The rows of the queue, the slices of the strip and its facets, each by itself. */
export function useSignalQueue(link: SignalLink, range: ResolvedRange) {
  const { clusterId, scopeId } = useScope();
  const [count, setCount] = useState(FIRST_ROWS);
  const params = { clusterId };
  const selection = { scope_id: scopeId, start: range.from, end: range.to, ...signalSelection(link) };
  const order = link.descending ? ('desc' as const) : ('asc' as const);
  const list = useQuery(
    callQuery(
      listSignals,
      { ...selection, pagesize: count, sort: link.sort, order },
      { params, keep: true, quiet: true },
    ),
  );
  const slices = useQuery(
    callQuery(
      signalTimeslices,
      { ...selection, interval: sliceMs(range) },
      { params, keep: true, quiet: true },
    ),
  );
  const facets = useQuery({
    queryKey: [signalFacetsResult.name, params, selection],
    queryFn: async ({ signal }): Promise<SignalFacets> => {
      const { task_id } = await call(signalFacetsTask, { params, input: selection, signal });
      return call(signalFacetsResult, { params, input: { scope_id: scopeId, task_id }, signal });
    },
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const total = list.data?.total_count ?? 0;
  const more = () => {
    if (!list.isFetching && count < total) setCount((now) => Math.min(10_000, now + FIRST_ROWS));
  };
  return { list, slices, facets, selection, more, clusterId, scopeId };
}
