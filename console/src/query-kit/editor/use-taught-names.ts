import { useQuery } from '@tanstack/react-query';
import { type KqlType, NO_CATALOG, type TenantCatalog } from '@tyrian/catalog';
import { listFields, listFunctions, type OutputOf, readCatalog } from '@tyrian/contract';
import type { ExtField } from '@tyrian/kql';
import { useEffect } from 'react';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { teachKqlWorker } from './kql-worker-client.ts';

/** Tells the language worker what there is beyond the catalog: fields of the events of this scope, saved functions. */
export function useTaughtNames(): void {
  const { clusterId, scopeId } = useScope();
  const { data } = useQuery({
    ...callQuery(listFields, { scope_id: scopeId, stream: [] }, { params: { clusterId }, quiet: true }),
    staleTime: 60_000,
  });
  const { data: functions } = useQuery({
    ...callQuery(listFunctions, {}, { params: { clusterId }, quiet: true }),
    staleTime: 60_000,
  });
  const { data: added } = useQuery({
    ...callQuery(readCatalog, { scope_id: scopeId }, { params: { clusterId }, quiet: true }),
    staleTime: 10_000,
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
    const saved = (functions ?? []).map(({ name, parameters, body, description }) => ({
      name,
      parameters,
      body,
      description,
    }));
    teachKqlWorker({ extFields: fields, facts, functions: saved, catalog: catalogOf(added, scopeId) });
  }, [data, functions, added, scopeId]);
}

/** The catalog as the language service takes it: where the rows of a table are does not matter to it. */
function catalogOf(added: OutputOf<typeof readCatalog> | undefined, scope: string): TenantCatalog {
  if (!added) return NO_CATALOG;
  return {
    streams: added.streams,
    fields: added.fields.map((field) => ({ ...field, type: field.type as KqlType })),
    tables: added.tables.map(({ columns, ...table }) => ({
      ...table,
      ...{ id: table.name, scope, uploads: [] },
      columns: columns.map(({ name, type }) => ({ name, type: type as KqlType })),
    })),
    elsewhere: [],
  };
}
