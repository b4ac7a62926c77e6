import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { useScope } from '../../lib/session-store.ts';
import { eventsWith, findPath } from './find-path.ts';

/** Events of an entity are looked for this long before and after it was seen. */
const MARGIN_MS = 60 * 60_000;

/** Opens Find with the events that name a value, around the time (epoch milliseconds) in which it was seen. */
export function useValueSearch() {
  const { clusterId, scopeId } = useScope();
  const navigate = useNavigate();
  return useCallback(
    (value: string, seen: { readonly first_time: number; readonly last_time: number }) =>
      void navigate(
        findPath({ clusterId, scopeId }, eventsWith(value), {
          from: seen.first_time - MARGIN_MS,
          to: seen.last_time + MARGIN_MS,
        }),
      ),
    [clusterId, scopeId, navigate],
  );
}
