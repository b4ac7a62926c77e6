import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Endpoint, everywhereCases, everywhereSignals } from '@tyrian/contract';
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

/** A record with the place where it stands. */
export interface PlacedRow<T> {
  readonly place: AskedPlace;
  readonly item: T;
}

/** What was asked at once: a scope, or several of a cluster. */
export interface AskedPart {
  readonly clusterId: string;
  readonly clusterName: string;
  readonly scopeNames: readonly string[];
  readonly total: number;
  readonly problem: string | null;
}

export interface Everywhere<T> {
  /** Undefined while the first answer is awaited. */
  readonly rows: readonly PlacedRow<T>[] | undefined;
  readonly places: readonly AskedPart[];
  readonly error: CallError | null;
  readonly isRefetching: boolean;
  readonly retry: () => void;
}

/** Rows of all places; the endpoint answers for every scope of the user at once. */
const ROWS = 1000;

interface Answer {
  readonly data: readonly {
    readonly cluster_id: string;
    readonly scope_id: string;
    readonly item: unknown;
  }[];
  readonly places: readonly {
    readonly cluster_id: string;
    readonly scope_ids: readonly string[];
    readonly total_count: number;
    readonly problem: string | null;
  }[];
}

/** Asks a call over all scopes for what has `query` in its name. */
export function useEverywhere<T>(
  endpoint: typeof everywhereSignals | typeof everywhereCases,
  query: string,
): Everywhere<T> {
  const placeOf = usePlaceNames();
  const answer = useQuery({
    ...callQuery(endpoint as Endpoint, { query, pagesize: ROWS }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const data = answer.data as Answer | undefined;
  return useMemo(
    () => ({
      rows: data?.data.map((row) => ({
        place: placeOf(row.cluster_id, row.scope_id),
        item: row.item as T,
      })),
      places: (data?.places ?? []).map(({ cluster_id, scope_ids, total_count, problem }) => {
        const named = scope_ids.map((scopeId) => placeOf(cluster_id, scopeId));
        return {
          clusterId: cluster_id,
          clusterName: named[0]?.clusterName ?? cluster_id,
          scopeNames: named.map(({ scopeName }) => scopeName),
          total: total_count,
          problem,
        };
      }),
      error: answer.error as CallError | null,
      isRefetching: answer.isPlaceholderData,
      retry: () => void answer.refetch(),
    }),
    [data, placeOf, answer.error, answer.isPlaceholderData, answer.refetch],
  );
}

/** A place by its ids, with the names that the user's access has for it. */
function usePlaceNames(): (clusterId: string, scopeId: string) => AskedPlace {
  const { access } = useSignedIn();
  return useMemo(() => {
    const known = new Map(
      access.flatMap(({ clusterId, clusterName, scope_access }) =>
        scope_access.map(({ scope_id, scope_name }) => [
          `${clusterId}/${scope_id}`,
          { clusterId, clusterName, scopeId: scope_id, scopeName: scope_name },
        ]),
      ),
    );
    return (clusterId, scopeId) =>
      known.get(`${clusterId}/${scopeId}`) ?? {
        clusterId,
        clusterName: clusterId,
        scopeId,
        scopeName: scopeId,
      };
  }, [access]);
}
