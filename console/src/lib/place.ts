import type { Selection } from './session-store.ts';

// A hash path opens with the cluster id and the scope id; `admin` there is a marker, not an id.

const MARKER = 'admin';

/** `/incident/cases` at a place: `/{clusterId}/{scopeId}/incident/cases`; an absent id is left out. */
export function placePath(place: Selection, ending: string): string {
  const ids = [place.clusterId, place.clusterId ? place.scopeId : null].filter((id) => id !== null);
  return `${ids.map((id) => `/${encodeURIComponent(id)}`).join('')}${ending}`;
}

/** The ids that a route's parameters carry; the marker counts as none. */
export function placeOfParams(params: Readonly<Record<string, string | undefined>>): Selection {
  return { clusterId: idOf(params.clusterId), scopeId: idOf(params.scopeId) };
}

function idOf(segment: string | undefined): string | null {
  return segment === undefined || segment === '' || segment === MARKER ? null : segment;
}
