import { useQuery } from '@tanstack/react-query';
import { listFields } from '@tyrian/contract';
import type { ExtField } from '@tyrian/kql';
import { useEffect } from 'react';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { teachKqlWorker } from './kql-worker-client.ts';

/** Tells the language worker which fields the events of this scope have beyond the catalog. */
export function useTaughtFields(): void {
  const { clusterId, scopeId } = useScope();
  const { data } = useQuery({
    ...callQuery(listFields, { scope_id: scopeId, stream: [] }, { params: { clusterId }, quiet: true }),
    staleTime: 60_000,
  });
  useEffect(() => {
    if (!data) return;
    const fields = data.flatMap(({ kind, path, type, streams }) =>
      kind === 'ext' && path !== null
        ? streams.map((stream) => ({ stream, path, type: type as ExtField['type'] }))
        : [],
    );
    const facts = data.map(({ name, type, example, streams }) => ({
      name,
      type,
      example: example ?? '',
      streams,
    }));
    teachKqlWorker({ extFields: fields, facts });
  }, [data]);
}
