import type { Selection } from './session-store.ts';

// A hash path opens with the cluster id and the scope id; `admin` there is a marker, not an id.

const MARKER = 'admin';

/** `/incident/cases` at a place: `/{clusterId}/{scopeId}/incident/cases`; an absent id is left out. */
export function scopePath(scope: Selection, ending: string): string {
  const ids = [scope.clusterId, scope.clusterId ? scope.scopeId : null].filter((id) => id !== null);
  return `${ids.map((id) => `/${encodeURIComponent(id)}`).join('')}${ending}`;
}

/** The ids that a route's parameters carry; the marker counts as none. */
export function scopeOfParams(params: Readonly<Record<string, string | undefined>>): Selection {
  return { clusterId: idOf(params.clusterId), scopeId: idOf(params.scopeId) };
}

function idOf(segment: string | undefined): string | null {
  return segment === undefined || segment === '' || segment === MARKER ? null : segment;
}
