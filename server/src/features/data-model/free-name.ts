import { ALL_EVENTS, STREAMS, WELL_KNOWN_TABLES } from '@tyrian/catalog';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { QueryFunctions } from '../search/compile-with-fields.ts';
import type { QueryService } from '../search/query-service.ts';

// A name for a stream or table of a tenant: nothing else that a query can name is called so, in any case of letters, and the
// language reads it as a name.

const BUILT_IN = new Set(
  [ALL_EVENTS, ...STREAMS.map(({ name }) => name), ...WELL_KNOWN_TABLES.map(({ name }) => name)].map((name) =>
    name.toLowerCase(),
  ),
);

export interface FreeNameDeps {
  readonly queries: Pick<QueryService, 'checkFunction' | 'catalogOf'>;
  readonly functions: QueryFunctions;
}

/** Whether a stream or table of the tenant may get a name. */
export async function isFreeName(
  { queries, functions }: FreeNameDeps,
  { clusterId, scopeId }: ScopeRef,
  name: string,
  userId: string,
): Promise<boolean> {
  const wanted = name.toLowerCase();
  const isIt = (one: { readonly name: string }): boolean => one.name.toLowerCase() === wanted;
  // Tables of custom logs are known by the end of their name.
  if (BUILT_IN.has(wanted) || wanted.endsWith('_cl')) return false;
  const scopes = [scopeId];
  const { catalog } = await queries.catalogOf(clusterId, scopes);
  if ([...catalog.streams, ...catalog.tables].some(isIt)) return false;
  if ((await functions.functionsOf(clusterId)).functions.some(isIt)) return false;
  // What the language and every tenant can call is refused to a function, so to a table as well.
  const { ok } = await queries.checkFunction(clusterId, userId, {
    name,
    parameters: '',
    body: 'print x = 1',
  });
  return ok;
}
