import { mayOpen, rootTarget } from '../../../lib/landing.ts';
import { goAndReload, reloadPage } from '../../../lib/page-reload.ts';
import { routeOfPath } from '../../../lib/route-of-path.ts';
import { readSession, type Selection, type Session, selectScope } from '../../../lib/session-store.ts';
import { mayLeavePage } from '../../../lib/unsaved-work.ts';
import { pickScope } from './establish-session.ts';

// Changing cluster or scope: the role is recomputed and stored, the equivalent page under the new ids opens,
// and the page loads anew.

/**
 * Changes the place and loads `path`, as a link that names another place does; the guard judges it under the new role.
 * Where the page holds unsaved work, the user decides first; nothing changes for whoever stays.
 */
export async function switchScope(selection: Selection, path: string): Promise<void> {
  if (await selectAnother(selection)) await load(path);
}

/**
 * Changes to a place that the user chose: to `path` there, the equivalent of the present page if none is given. Where
 * the role at the new place may not open it, to the page of the root path for that role.
 */
export async function chooseScope(selection: Selection, path?: string): Promise<void> {
  const before = readSession();
  const after = await selectAnother(selection);
  if (!before || !after) return;
  const wanted = path ?? equivalentPath(window.location.hash, placeOf(before), placeOf(after));
  const route = routeOfPath(wanted);
  await load(route && mayOpen(after, route) ? wanted : rootTarget(after));
}

/** The session at another place, its role computed anew; null when the user stays. */
async function selectAnother(selection: Selection): Promise<Session | null> {
  const session = readSession();
  if (!session || !(await mayLeavePage())) return null;
  return selectScope(session, pickScope(session, selection));
}

function placeOf({ user }: Session): Selection {
  return { clusterId: user.clusterId, scopeId: user.scope_id };
}

async function load(path: string): Promise<void> {
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
