import type { Diagnostic } from '@tyrian/diagnostics';
import { messages } from '../messages.ts';
import type { Refusal } from '../refusal.ts';
import { child, kindOf, nameOf, type Syntax, spanOf, within } from '../syntax.ts';

// Functions that name data outside of the tenant, or stores that do not exist here. They are refused by name wherever
// they stand, before the language service complains that it does not know what they point at.

const OTHER_PLACE: Refusal = {
  why: 'a query reads the tenant that is open, and no other place',
  wayOut: 'Name the table alone, or in a search workspace("a scope of this tenant").Table',
};
const NO_STORE: Refusal = {
  why: 'there is no store of this kind; all events stand in the streams',
  wayOut: 'Name a stream or a well-known table',
};

const REFUSED: Readonly<Record<string, Refusal>> = {
  adx: OTHER_PLACE,
  app: OTHER_PLACE,
  arg: OTHER_PLACE,
  cluster: OTHER_PLACE,
  database: OTHER_PLACE,
  resource: OTHER_PLACE,
  workspace: OTHER_PLACE,
  entity_group: OTHER_PLACE,
  external_table: NO_STORE,
  materialized_view: NO_STORE,
  stored_query_result: NO_STORE,
  _GetWatchlist: {
    why: 'there are no watchlists',
    wayOut: 'Write the list as a datatable in a let, or import it as events and join with them',
  },
  FileProfile: {
    why: 'the reputation of files is kept by a service outside of the tenant',
    wayOut: 'Leave this step out, or join with a list of hashes of your own',
  },
};

/** The refusals of a query, one for each such call. */
export function refusedSources(root: Syntax): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const node of within(root)) {
    const name = kindOf(node) === 'FunctionCallExpression' ? nameOf(child(node, 'Name')) : '';
    const refusal = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
    if (refusal) found.push(messages.refusedSource(spanOf(node), name, refusal.why, refusal.wayOut));
    else if (kindOf(node) === 'EntityGroup')
      found.push(messages.refusedSource(spanOf(node), 'entity_group', OTHER_PLACE.why, OTHER_PLACE.wayOut));
  }
  return found.sort((one, other) => one.span.start - other.span.start);
}
