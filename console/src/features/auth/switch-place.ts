import { goAndReload, reloadPage } from '../../lib/page-reload.ts';
import { readSession, type Selection, selectPlace } from '../../lib/session-store.ts';
import { pickPlace } from './establish-session.ts';

// Changing cluster or scope: the role is recomputed and stored, the equivalent page under the new ids opens,
// and the page loads anew.

/** Changes the place and loads `path`, which the guard then judges under the new role. */
export async function switchPlace(selection: Selection, path: string): Promise<void> {
  const session = readSession();
  if (!session) return;
  selectPlace(session, pickPlace(session, selection));
  if (window.location.hash === `#${path}`) await reloadPage();
  else await goAndReload(path);
}

/** Parameters that name an object of the place that is left; all others mean the same elsewhere. */
const OF_THE_PLACE = ['row', 'saved', 'signal', 'handler', 'folder', 'v'] as const;

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
  if (ending.startsWith('/incident/cases/')) return `${ids}/incident/cases`;
  if (ending.startsWith('/workbook/') && ending !== '/workbook/new') return `${ids}/workbook`;
  if (ending.startsWith('/admin/tenants') || ending.startsWith('/admin/organizations')) return ending;
  const params = new URLSearchParams(search);
  for (const name of OF_THE_PLACE) params.delete(name);
  return `${ids}${ending}${params.size > 0 ? `?${params}` : ''}`;
}
