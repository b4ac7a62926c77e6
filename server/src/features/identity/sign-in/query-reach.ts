import { SECURITY } from '@tyrian/contract';
import type { QueryReach } from '@tyrian/kql';
import type { Caller } from '../../../platform/http/caller.ts';
import { asAccessCaller } from './authorizer.ts';

/** The scopes of a tenant that the queries of a caller may name: those in which the caller may search. */
export function queryReachOf(caller: Caller, clusterId: string): QueryReach {
  const entry = asAccessCaller(caller).entryAt(clusterId);
  if (!entry) return { tenant: [], scopes: [] };
  const open = new Set(caller.scopesWith(clusterId, SECURITY));
  return {
    tenant: [entry.clusterId, entry.clusterName],
    scopes: entry.scope_access
      .filter(({ scope_id }) => open.has(scope_id))
      .map(({ scope_id, scope_name }) => ({ id: scope_id, name: scope_name })),
  };
}
