import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { Endpoint, InputOf, OutputOf } from '@tyrian/contract';
import { CallError, call } from './call.ts';

// Endpoint values as queries and mutations. A query's key starts with the endpoint's name, so that a mutation
// can say which endpoints it makes stale.

interface QueryExtras {
  readonly params?: Readonly<Record<string, string>>;
  /** Ask again every so many milliseconds; TanStack Query pauses it while the tab is hidden. */
  readonly every?: number | false;
  readonly enabled?: boolean;
  /** Keep showing the old answer while another input is asked for. */
  readonly keep?: boolean;
  /** No toast when a refetch fails. */
  readonly quiet?: boolean;
}

/** Options for `useQuery`: `useQuery(callQuery(listCases, { scope_id }, { params: { clusterId } }))`. */
export function callQuery<E extends Endpoint>(endpoint: E, input: InputOf<E>, extras: QueryExtras = {}) {
  return queryOptions<OutputOf<E>, CallError>({
    queryKey: [endpoint.name, extras.params ?? null, input],
    queryFn: ({ signal }) => call(endpoint, { params: extras.params, input, signal }),
    // What is not there, or not for this user, is not asked for again and again.
    refetchInterval: ({ state }) => (isRefused(state.error) && !state.data ? false : (extras.every ?? false)),
    enabled: extras.enabled,
    placeholderData: extras.keep ? (keepPreviousData as never) : undefined,
    meta: { quiet: extras.quiet ?? false },
  });
}

const isRefused = (error: CallError | null) => error?.status === 403 || error?.status === 404;

interface MutationExtras {
  /** Endpoints whose answers are out of date after success. */
  readonly stale?: readonly Endpoint[];
  readonly quiet?: boolean;
}

interface MutationCall<E extends Endpoint> {
  readonly params?: Readonly<Record<string, string>>;
  readonly input: InputOf<E>;
  /** Gives the call up when it aborts. */
  readonly signal?: AbortSignal;
}

/** A mutation that calls the endpoint; failures show a toast unless `quiet`. */
export function useCallMutation<E extends Endpoint>(
  endpoint: E,
  extras: MutationExtras = {},
): UseMutationResult<OutputOf<E>, CallError, MutationCall<E>> {
  const client = useQueryClient();
  return useMutation<OutputOf<E>, CallError, MutationCall<E>>({
    mutationFn: (variables) => call(endpoint, variables),
    meta: { quiet: extras.quiet ?? false },
    onSuccess: () => markStale(client, extras.stale ?? []),
  });
}

/** Makes every cached answer of these endpoints stale and refetches those on screen. */
export async function markStale(client: QueryClient, endpoints: readonly Endpoint[]): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => client.invalidateQueries({ queryKey: [endpoint.name] })));
}

/** Whether asking again could help: the network or the server failed, not the request. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof CallError && (error.kind === 'network' || error.status >= 502);
}
