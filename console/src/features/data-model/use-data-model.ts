import { useQuery } from '@tanstack/react-query';
import { listModelRequests, readCatalog, readDataModel } from '@tyrian/contract';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';

/** What is out of date after a change of the data model. */
export const STALE = [readDataModel, listModelRequests, readCatalog] as const;

/** The streams of the tenant and the fields that were added to them. */
export function useDataModel() {
  const { clusterId } = useScope();
  return useQuery(callQuery(readDataModel, {}, { params: { clusterId }, quiet: true, keep: true }));
}
