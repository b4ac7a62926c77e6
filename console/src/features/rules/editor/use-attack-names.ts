import { useQuery } from '@tanstack/react-query';
import { workbookMeta } from '@tyrian/contract';
import { useEffect } from 'react';
import { useScope } from '../../../lib/session-store.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { teachSigmaAttack } from './sigma-worker-client.ts';

/** Teaches the editor the techniques and tactics of ATT&CK, by what tags call them. */
export function useAttackNames(): void {
  const { clusterId } = useScope();
  const extras = { params: { clusterId }, quiet: true };
  const forever = { staleTime: Number.POSITIVE_INFINITY };
  const techniques = useQuery({
    ...callQuery(workbookMeta, { type: 'techniques' }, extras),
    ...forever,
  }).data;
  const tactics = useQuery({ ...callQuery(workbookMeta, { type: 'tactics' }, extras), ...forever }).data;
  useEffect(() => {
    if (!techniques || !tactics) return;
    teachSigmaAttack([
      ...tactics.map(({ name }) => [name.toLowerCase().replaceAll(' ', '-'), name] as const),
      ...techniques.map(({ id, name }) => [id.toLowerCase(), name] as const),
    ]);
  }, [techniques, tactics]);
}
