import { ALL_EVENTS, STREAMS, WELL_KNOWN_TABLES } from '@tyrian/catalog';
import type { QueryFunctions } from '../search/compile-with-fields.ts';
import type { QueryService } from '../search/query-service.ts';
import type { CatalogLibrary } from './catalog-library.ts';

// A name for a stream or table of a tenant: nothing else that a query can name is called so, in any case of letters, and the
// language reads it as a name.

const BUILT_IN = new Set(
  [ALL_EVENTS, ...STREAMS.map(({ name }) => name), ...WELL_KNOWN_TABLES.map(({ name }) => name)].map((name) =>
    name.toLowerCase(),
  ),
);

export interface FreeNameDeps {
  readonly queries: Pick<QueryService, 'checkFunction'>;
  readonly catalog: Pick<CatalogLibrary, 'namesIn'>;
  readonly functions: QueryFunctions;
}

/** Whether a table of a scope may get a name; a stream, which stands in all scopes of the tenant, where there is none. */
export async function isFreeName(
  { queries, catalog, functions }: FreeNameDeps,
  { clusterId, scopeId }: { readonly clusterId: string; readonly scopeId: string | null },
  name: string,
  userId: string,
): Promise<boolean> {
  const wanted = name.toLowerCase();
  // Tables of custom logs are known by the end of their name.
  if (BUILT_IN.has(wanted) || wanted.endsWith('_cl')) return false;
  if ((await catalog.namesIn(clusterId, scopeId)).has(wanted)) return false;
  if ((await functions.functionsOf(clusterId)).functions.some((one) => one.name.toLowerCase() === wanted))
    return false;
  // What the language and every tenant can call is refused to a function, so to a table as well.
  const { ok } = await queries.checkFunction(clusterId, userId, {
    name,
    parameters: '',
    body: 'print x = 1',
  });
  return ok;
}
