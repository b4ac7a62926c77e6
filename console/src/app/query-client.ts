import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { notifyFailure } from '../lib/notify.ts';
import { isWorthRetrying } from '../lib/use-call.ts';

// A failed first load is shown in place by the screen; a failed refetch or change is told by a toast.

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.state.data !== undefined && !query.meta?.quiet) notifyFailure(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (!mutation.meta?.quiet) notifyFailure(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && isWorthRetrying(error),
    },
  },
});
