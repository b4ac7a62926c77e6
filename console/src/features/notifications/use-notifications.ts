import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { clearNotifications, listNotifications, type OutputOf, readNotifications } from '@tyrian/contract';
import { useEffect } from 'react';
import { type CallError, call } from '../../lib/call.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { unreadIs, useNews } from '../live/public.ts';

/** The list of the bell, read while it is open, and what is done to it. */
export function useNotifications(isOpen: boolean) {
  const { newest, unread } = useNews();
  // Read anew when it opens and when something came.
  const list = useQuery<OutputOf<typeof listNotifications>, CallError>({
    queryKey: [listNotifications.name, newest],
    queryFn: ({ signal }) => call(listNotifications, { input: {}, signal }),
    enabled: isOpen,
    staleTime: 0,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const known = list.data?.unread;
  useEffect(() => {
    if (known !== undefined) unreadIs(known);
  }, [known]);
  const read = useCallMutation(readNotifications, { stale: [listNotifications] });
  const clear = useCallMutation(clearNotifications, { stale: [listNotifications] });
  return {
    list,
    unread,
    /** Without ids: all. */
    markRead: (ids?: readonly string[]) => {
      unreadIs(ids === undefined ? 0 : Math.max(0, unread - ids.length));
      read.mutate({ input: ids === undefined ? {} : { notification_ids: [...ids] } });
    },
    clear: () => {
      unreadIs(0);
      clear.mutate({ input: {} });
    },
  };
}
