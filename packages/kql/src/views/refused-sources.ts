import { type Diagnostic, say } from '@tyrian/diagnostics';
import { messages } from '../messages.ts';
import type { Refusal } from '../refusal.ts';
import { child, isKind, kindOf, nameOf, type Syntax, spanOf, within } from '../syntax.ts';

// Functions that name data outside of the tenant, or stores that do not exist here. They are refused by name wherever
// they stand, before the language service complains that it does not know what they point at.

const OTHER_PLACE: Refusal = {
  why: say('openTenantOnly'),
  wayOut: say('tableAlone'),
};
const NO_STORE: Refusal = {
  why: say('noSuchStore'),
  wayOut: say('nameStream'),
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
    why: say('noWatchlists'),
    wayOut: say('writeDatatable'),
  },
  FileProfile: {
    why: say('reputationOutside'),
    wayOut: say('ownHashes'),
  },
};

/** The refusals of a query, one for each such call. */
export function refusedSources(root: Syntax): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const node of within(root)) {
    const name = isKind(node, 'FunctionCallExpression') ? nameOf(child(node, 'Name')) : '';
    const refusal = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
    if (refusal) found.push(messages.refusedSource(spanOf(node), name, refusal));
    else if (kindOf(node) === 'EntityGroup')
      found.push(messages.refusedSource(spanOf(node), 'entity_group', OTHER_PLACE));
  }
  return found.sort((one, other) => one.span.start - other.span.start);
}
