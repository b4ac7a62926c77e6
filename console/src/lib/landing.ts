import { ROUTES, type Route, routeByName, START_PAGES, type StartPage } from '@tyrian/contract';
import { scopePath } from './scope-path.ts';
import type { Session } from './session-store.ts';
import { readSettings } from './settings.ts';

// Where a user is taken: from the root path, after sign-in, and when the page asked for has no screen.
// Section 2 and 5 of the specification; a redirect never leads to a page that the role may not open, since
// the guard would only send the user on to "no access".

/** The root path `/` by role. */
export function rootTarget(session: Session): string {
  const { tags } = session;
  if (tags.includes('root-init')) return '/admin/tenants/list';
  if (tags.includes('viewer')) return at(session, '/dashboard');
  if (hasSecurityRole(session)) return homePath(session);
  const components = at(session, '/admin/components');
  if (isAdministrator(session)) return mayOpen(session, 'components') ? components : '/admin/tenants/list';
  if (tags.includes('org-admin')) return '/admin/organizations/list';
  return landingTarget(session, null);
}

/** The page after sign-in; `stored` is the URL that was asked for before, if any. */
export function landingTarget(session: Session, stored: string | null): string {
  const { tags } = session;
  const security = hasSecurityRole(session);
  const viewer = tags.includes('viewer');
  if (tags.includes('root-init')) return '/admin/tenants/list';
  if (!security && !viewer) {
    if (tags.includes('root') || tags.includes('root-viewer')) return at(session, '/admin/components');
    if (tags.includes('org-admin')) return '/admin/organizations/list';
    if (tags.includes('content-manager')) return at(session, '/system/streamfieldaddition');
    if (tags.includes('tenant-admin')) return '/admin/tenants/list';
    return noAccessPath(session);
  }
  if (viewer && !security) return at(session, '/dashboard');
  if (stored && isReturnable(stored)) return stored;
  return startPath(session);
}

/** The start pages that a session can choose from; each is named as its route, and home stands apart by its ids. */
export function startPages(session: Session): readonly StartPage[] {
  return START_PAGES.filter((page) => page === 'home' || mayOpen(session, page));
}

/** The page that the user has chosen to land on, at the selected place. */
function startPath(session: Session): string {
  const { startPage } = readSettings();
  if (startPage === 'home' || !startPages(session).includes(startPage)) return homePath(session);
  return at(session, routeByName(startPage).path);
}

/** The page instead of one that is not there for this role. */
export function fallbackTarget(session: Session): string {
  const { tags } = session;
  if (hasSecurityRole(session)) return at(session, '/workbook/new');
  if (tags.includes('root') || tags.includes('root-viewer')) return at(session, '/admin/components');
  if (tags.includes('root-init') || tags.includes('tenant-admin')) return '/admin/tenants/list';
  if (tags.includes('org-admin')) return '/admin/organizations/list';
  if (tags.includes('content-manager')) return at(session, '/system/streamfieldaddition');
  return noAccessPath(session);
}

/** Whether the caller is root, with tenants or before there are any. */
export function isRootUser({ tags }: Session): boolean {
  return tags.includes('root') || tags.includes('root-init');
}

/** Home of the selected scope: `/{clusterId}/{scopeId}/home/{scopeId}/{clusterId}`. */
function homePath(session: Session): string {
  const clusterId = session.cluster?.clusterId;
  const scopeId = session.scope?.scope_id;
  return clusterId && scopeId
    ? at(session, `/home/${encodeURIComponent(scopeId)}/${encodeURIComponent(clusterId)}`)
    : noAccessPath(session);
}

/** The no-access page, with cluster and scope when there are any. */
export function noAccessPath(session: Session): string {
  return at(session, '/no-access/auth/no-access');
}

/** Whether the user is a security engineer or analyst at the selected place. */
export function hasSecurityRole(session: Session): boolean {
  return session.tags.includes('engineer') || session.tags.includes('analyst');
}

/** Whether home offers a choice: several clusters, or several scopes with a security role. */
export function hasScopesToChoose(session: Session): boolean {
  const reachable = session.access.filter((entry) => entry.access_type !== 'No Access');
  const scopes = reachable.flatMap((entry) =>
    entry.scope_access.filter((scope) => scope.is_enabled && scope.role.startsWith('Security')),
  );
  return reachable.length > 1 || scopes.length > 1;
}

/** Whether signals and cases of several places can be seen in one list. */
export function mayGoGlobal(session: Session): boolean {
  return mayOpen(session, 'global') && hasScopesToChoose(session);
}

/** Whether a URL may be returned to after sign-in. */
export function isReturnable(path: string): boolean {
  return path !== '/' && !/\/auth\//.test(path);
}

export function mayOpen(session: Session, routeName: string): boolean {
  const route: Route | undefined = ROUTES.find((candidate) => candidate.name === routeName);
  if (!route) return false;
  return route.tags === 'everyone' || route.tags.some((tag) => session.tags.includes(tag));
}

function isAdministrator(session: Session): boolean {
  return session.tags.some((tag) => tag === 'root' || tag === 'root-viewer' || tag === 'tenant-admin');
}

function at(session: Session, ending: string): string {
  return scopePath(
    { clusterId: session.cluster?.clusterId ?? null, scopeId: session.scope?.scope_id ?? null },
    ending,
  );
}
