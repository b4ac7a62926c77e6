import { goAndReload, reloadPage } from '../../lib/page-reload.ts';
import { readSession, type Selection, selectPlace } from '../../lib/session-store.ts';
import { mayLeavePage } from '../../lib/unsaved-work.ts';
import { pickPlace } from './establish-session.ts';

// Changing cluster or scope: the role is recomputed and stored, the equivalent page under the new ids opens,
// and the page loads anew.

/**
 * Changes the place and loads `path`, which the guard then judges under the new role. Where the page holds unsaved
 * work, the user decides first; nothing changes for whoever stays.
 */
export async function switchPlace(selection: Selection, path: string): Promise<void> {
  const session = readSession();
  if (!session || !(await mayLeavePage())) return;
  selectPlace(session, pickPlace(session, selection));
  if (window.location.hash === `#${path}`) await reloadPage();
  else await goAndReload(path);
}

/** Parameters that name an object or a value of the place that is left; all others mean the same elsewhere. */
const OF_THE_PLACE = [
  'row',
  'saved',
  'signal',
  'handler',
  'folder',
  'v',
  'entity',
  'tag',
  'workbook_name',
  'stack',
] as const;

/** Pages of one object, by the list that stands for them in another place. */
const LISTS: readonly (readonly [page: RegExp, list: string])[] = [
  [/^\/incident\/cases\/./, '/incident/cases'],
  [/^\/workbook\/(?!new$)./, '/workbook'],
  [/^\/system\/components\/./, '/system/components'],
];
/** Pages that say something of the place left, and nothing of the new one: there the way begins anew. */
const OF_THE_ROLE = /^\/(no-access|upgrade|auth)\//;

/**
 * The present page under other ids: `#/a/b/incident/cases` → `/c/d/incident/cases`. Query, time range and filters go
 * along; objects of the old place are left.
 */
export function equivalentPath(hash: string, from: Selection, to: Selection): string {
  const [, path = '/', search = ''] = /^#?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const prefix = [from.clusterId, from.scopeId]
    .filter(Boolean)
    .map((id) => `/${id}`)
    .join('');
  const ending = prefix && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
  const ids = [to.clusterId, to.clusterId ? to.scopeId : null]
    .filter(Boolean)
    .map((id) => `/${id}`)
    .join('');
  if (ending.startsWith('/home/')) return `${ids}/home/${to.scopeId}/${to.clusterId}`;
  if (OF_THE_ROLE.test(ending)) return '/';
  const list = LISTS.find(([page]) => page.test(ending))?.[1];
  if (list) return `${ids}${list}`;
  if (ending.startsWith('/admin/tenants') || ending.startsWith('/admin/organizations')) return ending;
  const params = new URLSearchParams(search);
  for (const name of OF_THE_PLACE) params.delete(name);
  return `${ids}${ending}${params.size > 0 ? `?${params}` : ''}`;
}
