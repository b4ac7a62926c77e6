import { useQuery } from '@tanstack/react-query';
import { liveNews } from '@tyrian/contract';
import { useEffect, useState } from 'react';
import { call } from '../../lib/call.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { followNews } from './follow-news.ts';
import { newsOf, takeNews } from './news-store.ts';

/**
 * How often a tab that is looked at asks while no stream is open; a hidden one does not ask, and does at once when it is
 * looked at again.
 */
const ASK_MS = 5_000;

/** Hears what is new at the place of the session: told over a stream, asked for without one. Stands once, in the shell. */
export function useLive(): void {
  const { user } = useSignedIn();
  const { id, clusterId, scope_id } = user;
  const of = [id, clusterId, scope_id].join(' ');
  const [isTold, setTold] = useState(false);
  useEffect(() => {
    const scope = clusterId && scope_id ? { clusterId, scope_id } : {};
    return followNews(of, id, scope, setTold);
  }, [of, id, clusterId, scope_id]);
  useQuery({
    queryKey: [liveNews.name, of],
    queryFn: async ({ signal }) => {
      const { cursor } = newsOf(of);
      const since = cursor === null || cursor === '0' ? {} : { since: cursor };
      const scope = clusterId && scope_id ? { clusterId, scope_id } : {};
      const answer = await call(liveNews, { input: { ...scope, ...since }, signal });
      takeNews(of, answer, id);
      return answer.cursor;
    },
    refetchInterval: isTold ? false : ASK_MS,
    refetchOnWindowFocus: 'always',
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  });
}
