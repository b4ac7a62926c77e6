import type { AccessEntry } from '@tyrian/contract';
import { useMemo } from 'react';
import { useSignedIn } from './session-store.ts';

/** Names of clusters and scopes, as the user's access has them; what it does not have keeps its id. */
export interface ScopeNames {
  readonly clusterName: (clusterId: string) => string;
  readonly scopeName: (clusterId: string, scopeId: string) => string;
}

/** The names that the user's access has for places; the same as long as the access is. */
export function useScopeNames(): ScopeNames {
  const { access } = useSignedIn();
  return useMemo(() => scopeNames(access), [access]);
}

function scopeNames(access: readonly AccessEntry[]): ScopeNames {
  const clusters = new Map(access.map(({ clusterId, clusterName }) => [clusterId, clusterName]));
  const scopes = new Map(
    access.flatMap(({ clusterId, scope_access }) =>
      scope_access.map(({ scope_id, scope_name }) => [`${clusterId}/${scope_id}`, scope_name]),
    ),
  );
  return {
    clusterName: (clusterId) => clusters.get(clusterId) ?? clusterId,
    scopeName: (clusterId, scopeId) => scopes.get(`${clusterId}/${scopeId}`) ?? scopeId,
  };
}
