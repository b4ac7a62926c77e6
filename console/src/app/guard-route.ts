import { PRODUCT_TYPES, type ProductType, type Route, upgradePlan } from '@tyrian/contract';
import { agreementPath, openAgreement } from '../features/identity/sign-in/agreement-path.ts';
import { fallbackTarget, noAccessPath } from '../lib/landing.ts';
import { scopeOfParams, scopePath } from '../lib/scope-path.ts';
import type { Selection, Session } from '../lib/session-store.ts';

// Whether a route opens for a session, and where the user goes otherwise. Pure: the router performs the decision.

export type RouteDecision =
  | { readonly kind: 'open' }
  /** Nobody is signed in: remember the page and ask. */
  | { readonly kind: 'sign-in' }
  /** Something has to be accepted before anything else: remember the page and go there. */
  | { readonly kind: 'agree'; readonly to: string }
  /** The link names another cluster or scope that the user has: change to it and load again. */
  | { readonly kind: 'switch'; readonly selection: Selection }
  | { readonly kind: 'redirect'; readonly to: string; readonly refused: boolean };

export interface RouteVisit {
  readonly route: Route;
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Path without prefix, its parameters filled in, e.g. `/incident/cases/c1`, and the query with `?`. */
  readonly ending: string;
  readonly search: string;
  readonly hasScreen: boolean;
}

const AGREEMENT_ROUTE = 'agreements';

export function guardRoute(visit: RouteVisit, session: Session | null): RouteDecision {
  const { route } = visit;
  if (route.tags === 'everyone') {
    return visit.hasScreen ? { kind: 'open' } : { kind: 'redirect', to: '/auth/404', refused: false };
  }
  if (!session) return { kind: 'sign-in' };
  const agreement = openAgreement(session);
  if (agreement && route.name !== AGREEMENT_ROUTE) {
    return { kind: 'agree', to: agreementPath(session, agreement) };
  }
  const place = decideScope(visit, session);
  if (place) return place;
  if (!route.tags.some((tag) => session.tags.includes(tag))) return refuse(session);
  const upgrade = upgradeTarget(route, session);
  if (upgrade) return { kind: 'redirect', to: upgrade, refused: false };
  if (!visit.hasScreen) return { kind: 'redirect', to: fallbackTarget(session), refused: false };
  const canonical = canonicalPath(visit, session);
  return canonical ? { kind: 'redirect', to: canonical, refused: false } : { kind: 'open' };
}

function decideScope(visit: RouteVisit, session: Session): RouteDecision | null {
  const asked = scopeOfParams(visit.params);
  // A route of its own, such as /admin/tenants/{clusterId}, names a cluster as its object, not as the place.
  if (visit.route.prefix === 'none' || asked.clusterId === null) return null;
  const cluster = session.access.find((entry) => entry.clusterId === asked.clusterId);
  if (!cluster) return refuse(session);
  const scope = cluster.scope_access.find((entry) => entry.scope_id === asked.scopeId && entry.is_enabled);
  if (asked.scopeId !== null && !scope) return refuse(session);
  const sameCluster = session.cluster?.clusterId === asked.clusterId;
  const sameScope = asked.scopeId === null || session.scope?.scope_id === asked.scopeId;
  if (sameCluster && sameScope) return null;
  return { kind: 'switch', selection: { clusterId: asked.clusterId, scopeId: asked.scopeId } };
}

function refuse(session: Session): RouteDecision {
  return { kind: 'redirect', to: noAccessPath(session), refused: true };
}

/** The upgrade page when the cluster's product type does not have the route. */
function upgradeTarget(route: Route, session: Session): string | null {
  if (!route.productTypes) return null;
  const current = session.productType?.toLowerCase() as ProductType | undefined;
  if (current && route.productTypes.includes(current)) return null;
  const plan = upgradePlan(current ?? PRODUCT_TYPES[0], route.productTypes);
  return scopePath(selectionOf(session), `/upgrade/${plan}`);
}

/** The same page with both ids, so that the address can be passed on; null when it has them. */
function canonicalPath(visit: RouteVisit, session: Session): string | null {
  if (visit.route.prefix === 'none') return null;
  const selection = selectionOf(session);
  const wanted = {
    clusterId: selection.clusterId,
    scopeId: visit.route.prefix === 'both' ? selection.scopeId : null,
  };
  const asked = scopeOfParams(visit.params);
  if (asked.clusterId === wanted.clusterId && asked.scopeId === wanted.scopeId) return null;
  return `${scopePath(wanted, visit.ending)}${visit.search}`;
}

function selectionOf(session: Session): Selection {
  return { clusterId: session.cluster?.clusterId ?? null, scopeId: session.scope?.scope_id ?? null };
}
