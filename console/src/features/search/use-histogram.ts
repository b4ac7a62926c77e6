import { useQuery } from '@tanstack/react-query';
import { searchHistogram } from '@tyrian/contract';
import { callQuery } from '../../lib/use-call.ts';
import type { SearchPageState } from './use-search-page.ts';

const BUCKETS = 80;
export const USUAL_STACK = 'Stream';

/** The events of the search that is shown over time; asked once, whoever shows a part of the answer. */
export function useHistogram(page: SearchPageState) {
  const { asked, snapshot } = page.run;
  const { scope_id = '', query = '', from, to, query_timezone } = asked ?? {};
  const stack_by = page.link.stack || USUAL_STACK;
  const input = { scope_id, query, from, to, query_timezone, stack_by, buckets: BUCKETS };
  return useQuery({
    ...callQuery(searchHistogram, input, { params: { clusterId: page.clusterId }, keep: true, quiet: true }),
    enabled:
      asked !== null && snapshot.status !== 'failed' && (snapshot.isTaken || page.run.isStale === true),
    staleTime: 60_000,
    retry: false,
  });
}
