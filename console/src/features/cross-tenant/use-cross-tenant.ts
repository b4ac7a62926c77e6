import type { UseQueryResult } from '@tanstack/react-query';
import type { crossTenantSignals, OutputOf } from '@tyrian/contract';
import { useMemo } from 'react';
import type { CallError } from '../../lib/call.ts';
import { useScopeNames } from '../../lib/scope-names.ts';

// One question, asked in every scope where the user works. Each scope answers by itself: one that fails is named
// and can be asked again, and the others stand.

export interface AskedScope {
  readonly clusterId: string;
  readonly clusterName: string;
  readonly scopeId: string;
  readonly scopeName: string;
}

/** A record with the scope where it stands. */
export interface PlacedRow<T> {
  readonly place: AskedScope;
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

export interface AcrossTenants<T> {
  /** Undefined while the first answer is awaited. */
  readonly rows: readonly PlacedRow<T>[] | undefined;
  readonly places: readonly AskedPart[];
  readonly error: CallError | null;
  readonly isRefetching: boolean;
  readonly retry: () => void;
}

/** Rows of all scopes; the endpoint answers for every scope of the user at once. */
const ROWS = 1000;

/** What is asked of a call over all scopes: what has `query` in its name. */
export const crossTenantInput = (query: string) => ({ query: query.trim(), pagesize: ROWS });

interface Answer<T> {
  readonly tenants: OutputOf<typeof crossTenantSignals>['tenants'];
  readonly data: readonly { readonly cluster_id: string; readonly scope_id: string; readonly item: T }[];
}

/** The answer of a call over all scopes, with the names of its scopes. */
export function useCrossTenant<T>(answer: UseQueryResult<Answer<T>, CallError>): AcrossTenants<T> {
  const { clusterName, scopeName } = useScopeNames();
  const { data, error, isPlaceholderData, refetch } = answer;
  return useMemo(
    () => ({
      rows: data?.data.map(({ cluster_id, scope_id, item }) => ({
        place: {
          clusterId: cluster_id,
          clusterName: clusterName(cluster_id),
          scopeId: scope_id,
          scopeName: scopeName(cluster_id, scope_id),
        },
        item,
      })),
      places: (data?.tenants ?? []).map(({ cluster_id, scope_ids, total_count, problem }) => ({
        clusterId: cluster_id,
        clusterName: clusterName(cluster_id),
        scopeNames: scope_ids.map((scopeId) => scopeName(cluster_id, scopeId)),
        total: total_count,
        problem,
      })),
      error,
      isRefetching: isPlaceholderData,
      retry: () => void refetch(),
    }),
    [data, error, isPlaceholderData, refetch, clusterName, scopeName],
  );
}
