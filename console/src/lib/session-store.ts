import {
  type AccessEntry,
  highestRole,
  type ProductType,
  type RoleFacts,
  type RoleTag,
  roleString,
  roleTags,
  type ScopeAccess,
  type UserAccess,
} from '@tyrian/contract';
import { useSyncExternalStore } from 'react';
import { readStored, watchStored, writeStored } from './storage.ts';

// The signed-in user as the browser keeps it, and what follows from it at the selected cluster and scope.
// At start the session counts as authorised if a stored user payload exists; the server decides in the end.

/** The user payload under the names of section 3 of the specification. */
export interface StoredUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly authorized: true;
  readonly licenseType: string | null;
  readonly clusterId: string | null;
  readonly scope_id: string | null;
  readonly selectedCluster: string | null;
  readonly selectedScope: string | null;
  readonly AllAccessData: Omit<UserAccess, 'SSID'>;
  readonly eulaStatus: boolean;
  readonly isPolicyAccepted: boolean;
  readonly otpStatus: string | null;
  readonly otpInvalid: boolean;
}

export interface Selection {
  readonly clusterId: string | null;
  readonly scopeId: string | null;
}

export interface Session {
  readonly ssid: string;
  readonly user: StoredUser;
  readonly access: readonly AccessEntry[];
  readonly cluster: AccessEntry | null;
  readonly scope: ScopeAccess | null;
  readonly productType: ProductType | null;
  readonly role: string;
  readonly tags: readonly RoleTag[];
}

let current: Session | null = null;
let source: unknown;

/** The session of this browser, or null when nobody is signed in. */
export function readSession(): Session | null {
  const user = readStored<StoredUser>('user');
  if (user !== source) {
    source = user;
    const ssid = readStored<string>('ssid');
    current = user && ssid ? sessionOf(ssid, user) : null;
  }
  return current;
}

export function useSession(): Session | null {
  return useSyncExternalStore(watchStored, readSession);
}

/** Thrown while a page whose session has just ended waits for the sign-in page. */
export class NoSessionError extends Error {}

/** The session, where a guard has made sure of one. */
export function useSignedIn(): Session {
  const session = useSession();
  if (!session) throw new NoSessionError('signed-in session expected');
  return session;
}

/** Cluster and scope of the page, where a guard has made sure of both; what every call of a feature names. */
export function useScope(): { readonly clusterId: string; readonly scopeId: string } {
  const session = useSignedIn();
  return { clusterId: session.cluster?.clusterId ?? '', scopeId: session.scope?.scope_id ?? '' };
}

/** Stores record and selection; computes the role. The way every change of access or place goes. */
export function storeSession(record: UserAccess, selection: Selection): Session {
  const { SSID, ...access } = record;
  const cluster = record.access.find((entry) => entry.clusterId === selection.clusterId) ?? null;
  const scope = cluster?.scope_access.find((entry) => entry.scope_id === selection.scopeId) ?? null;
  const role = roleString(factsOf(access, cluster, scope));
  const user: StoredUser = {
    id: record.user_id,
    name: record.name,
    email: record.email_id,
    role,
    authorized: true,
    licenseType: cluster?.licenseType ?? null,
    clusterId: cluster?.clusterId ?? null,
    scope_id: scope?.scope_id ?? null,
    selectedCluster: cluster?.clusterName ?? null,
    selectedScope: scope?.scope_name ?? null,
    AllAccessData: access,
    eulaStatus: record.EULA,
    isPolicyAccepted: record.isPolicyAccepted,
    otpStatus: readStored<string>('otpStatus') ?? null,
    otpInvalid: readStored<string>('otpStatus') === 'invalid',
  };
  writeStored('ssid', SSID);
  writeStored('role', role);
  writeStored('email', user.email);
  writeStored('name', user.name);
  writeStored('loginStatus', true);
  writeStored('isInvalid', false);
  writeStored('UserAcc', role);
  writeStored(
    'Clusters',
    record.access.map(({ clusterId, clusterName }) => ({ clusterId, clusterName })),
  );
  writeStored('EnabledScopes', cluster?.scope_access.filter((entry) => entry.is_enabled) ?? []);
  writeStored('SelectedCluster', user.selectedCluster);
  writeStored('SelectedScope', user.selectedScope);
  writeStored('user', user);
  return readSession()!;
}

/** Moves to another cluster or scope of the same session; the role is recomputed and stored. */
export function selectScope(session: Session, selection: Selection): Session {
  return storeSession({ ...session.user.AllAccessData, SSID: session.ssid }, selection);
}

/** What is known of the user at a place; without a scope the highest role of the cluster counts. */
function factsOf(
  record: Omit<UserAccess, 'SSID'>,
  cluster: AccessEntry | null,
  scope: ScopeAccess | null,
): RoleFacts {
  const enabled = cluster?.scope_access.filter((entry) => entry.is_enabled) ?? [];
  return {
    isRoot: record.isRoot,
    isRootViewer: record.isRootViewer,
    isOrgAdmin: record.isOrgAdmin,
    isContentManager: record.userType === 'content_manager',
    tenantCount: record.access.length,
    isTenantAdmin: cluster?.access_type === 'Administrator',
    scopeRole: scope
      ? scope.role
      : enabled.length > 0
        ? highestRole(enabled.map((entry) => entry.role))
        : null,
  };
}

function sessionOf(ssid: string, user: StoredUser): Session {
  const record = user.AllAccessData;
  const cluster = record.access.find((entry) => entry.clusterId === user.clusterId) ?? null;
  const scope = cluster?.scope_access.find((entry) => entry.scope_id === user.scope_id) ?? null;
  const facts = factsOf(record, cluster, scope);
  return {
    ssid,
    user,
    access: record.access,
    cluster,
    scope,
    productType: cluster?.productType ?? null,
    role: user.role,
    tags: roleTags(facts),
  };
}
