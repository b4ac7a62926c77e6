import { keepPreviousData, useQuery } from '@tanstack/react-query';

/**
 * How many of the things that were heard of are rows of this list: `matching` answers the ids of the list as it would be
 * now. It is asked once for each set of ids, and not at all when there is nothing new.
 */
export function useMatchingNews(
  ids: readonly string[],
  listKey: string,
  matching: () => Promise<readonly string[]>,
): number {
  const { data } = useQuery({
    queryKey: ['new-rows', listKey, ids],
    queryFn: async () => {
      const wanted = new Set(ids);
      return { listKey, count: (await matching()).filter((id) => wanted.has(id)).length };
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { quiet: true },
  });
  // While the next answer is on its way the last one of the same list stands.
  return ids.length > 0 && data?.listKey === listKey ? data.count : 0;
}
