import { useQuery } from '@tanstack/react-query';
import { workbookMeta } from '@tyrian/contract';
import { useCallback, useMemo } from 'react';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';

/** Says `T1003 OS Credential Dumping` for a technique of ATT&CK; the id alone while names are not there. */
export function useTechniqueNames(): (id: string) => string {
  const { clusterId } = useScope();
  const { data } = useQuery({
    ...callQuery(workbookMeta, { type: 'techniques' }, { params: { clusterId }, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const names = useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data]);
  return useCallback((id) => [id, names.get(id)].filter(Boolean).join(' '), [names]);
}
