import { useQueries } from '@tanstack/react-query';
import type { Endpoint, InputOf, OutputOf } from '@tyrian/contract';
import { useMemo } from 'react';
import type { CallError } from '../../lib/call.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';

// One question, asked in every scope where the user works. Each place answers by itself: one that fails is named
// and can be asked again, and the others stand.

export interface AskedPlace {
  readonly clusterId: string;
  readonly clusterName: string;
  readonly scopeId: string;
  readonly scopeName: string;
}

export interface PlaceAnswer<T> {
  readonly place: AskedPlace;
  readonly data: T | undefined;
  readonly error: CallError | null;
  readonly isLoading: boolean;
  readonly retry: () => void;
}

/** Every enabled scope in which the user is an analyst or an engineer. */
function usePlaces(): readonly AskedPlace[] {
  const { access } = useSignedIn();
  return useMemo(
    () =>
      access
        .filter((entry) => entry.access_type !== 'No Access')
        .flatMap((entry) =>
          entry.scope_access
            .filter((scope) => scope.is_enabled && scope.role.startsWith('Security'))
            .map((scope) => ({
              clusterId: entry.clusterId,
              clusterName: entry.clusterName,
              scopeId: scope.scope_id,
              scopeName: scope.scope_name,
            })),
        ),
    [access],
  );
}

/** Asks a call of a scope in all places at once. */
export function useEverywhere<E extends Endpoint>(
  endpoint: E,
  inputFor: (scopeId: string) => InputOf<E>,
): readonly PlaceAnswer<OutputOf<E>>[] {
  const places = usePlaces();
  const answers = useQueries({
    queries: places.map(({ clusterId, scopeId }) =>
      callQuery(endpoint, inputFor(scopeId), { params: { clusterId }, quiet: true, keep: true }),
    ),
  });
  return places.map((place, at) => {
    const answer = answers[at];
    return {
      place,
      data: answer?.data as OutputOf<E> | undefined,
      error: (answer?.error ?? null) as CallError | null,
      isLoading: answer?.isLoading ?? false,
      retry: () => void answer?.refetch(),
    };
  });
}
