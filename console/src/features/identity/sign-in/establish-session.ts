import {
  type AccessEntry,
  accessDetails,
  agreementsDue,
  type TenantItem,
  tenantList,
  type UserAccess,
} from '@tyrian/contract';
import { APP_VERSION } from '../../../lib/app-version.ts';
import { call } from '../../../lib/call.ts';
import { loadPreferences } from '../../../lib/preferences.ts';
import { type Selection, type Session, storeSession } from '../../../lib/session-store.ts';
import { changeSettings } from '../../../lib/settings.ts';
import { clearStored, readStored, writeStored } from '../../../lib/storage.ts';

// A session is established from the access details: access is completed from the tenant list, stored, the first
// usable cluster and scope picked, the role computed. Section 4 of the specification.

const PAGE_SIZE = 1000;

/**
 * Begins a session after sign-in: the access details are loaded with its id, dark theme, collapsed menu and the user's
 * language set, then as `establishSession`; what the user has chosen otherwise, here or in another browser, is taken
 * over last. When any of it fails nobody is signed in.
 */
export async function beginSession({ SSID }: Pick<UserAccess, 'SSID'>): Promise<Session> {
  // The end of the session before cleared the version too; without it the reload after sign-in would reset storage.
  writeStored('version', APP_VERSION);
  writeStored('ssid', SSID);
  try {
    const record = { ...(await call(accessDetails, { input: {}, sessionFlow: true })), SSID };
    changeSettings({ theme: 'dark', menuCollapsed: true, locale: record.locale });
    const session = await establishSession(record);
    if (agreementsDue(record).length === 0) await loadPreferences();
    return session;
  } catch (error) {
    writeStored('ssid', undefined);
    throw error;
  }
}

/**
 * Stores the session of a signed-in user; a place asked for before is kept when the user has it. Before the agreements
 * are accepted the server answers no tenant list: the session is then what the record alone says.
 */
export async function establishSession(record: UserAccess, wanted?: Selection): Promise<Session> {
  writeStored('ssid', record.SSID);
  const tenants = agreementsDue(record).length > 0 ? [] : await readTenants();
  const complete = { ...record, access: mergeAccess(record.access, tenants) };
  return storeSession(complete, pickScope(complete, wanted));
}

async function readTenants(): Promise<readonly TenantItem[]> {
  const input = { size: PAGE_SIZE, query: '', add_filter: [], page: 1 };
  return (await call(tenantList, { input })).data;
}

/** Access with the names and types of the tenant list; scopes that are not enabled are left out. */
export function mergeAccess(access: readonly AccessEntry[], tenants: readonly TenantItem[]): AccessEntry[] {
  const merged = access.map((entry): AccessEntry => {
    const tenant = tenants.find((candidate) => candidate.clusterId === entry.clusterId);
    const enabled =
      tenant && new Set(tenant.scope_list.filter((one) => one.is_enabled).map((one) => one.scope_id));
    return {
      ...entry,
      clusterName: tenant?.clusterName ?? entry.clusterName,
      licenseType: tenant?.licenseType ?? entry.licenseType,
      productType: tenant?.productType ?? entry.productType,
      scope_access: entry.scope_access.filter(
        (scope) => scope.is_enabled && (!enabled || enabled.has(scope.scope_id)),
      ),
    };
  });
  const known = new Set(access.map((entry) => entry.clusterId));
  const added = tenants.filter((tenant) => !known.has(tenant.clusterId)).map(seenOnly);
  return [...merged, ...added];
}

/** A tenant that the user can see (root, for instance) without a role in it. */
function seenOnly(tenant: TenantItem): AccessEntry {
  return {
    clusterId: tenant.clusterId,
    clusterName: tenant.clusterName,
    access_type: 'No Access',
    licenseType: tenant.licenseType,
    productType: tenant.productType,
    scope_access: [],
  };
}

/** The first cluster with admin access, or any scope with a role other than No Access. */
export function pickScope(
  record: { readonly access: readonly AccessEntry[] },
  wanted?: Selection,
): Selection {
  const usable = (entry: AccessEntry) => entry.scope_access.find((scope) => scope.role !== 'No Access');
  const asked = record.access.find((entry) => entry.clusterId === wanted?.clusterId);
  if (asked) {
    const scope = asked.scope_access.find((one) => one.scope_id === wanted?.scopeId) ?? usable(asked);
    return { clusterId: asked.clusterId, scopeId: scope?.scope_id ?? null };
  }
  const first =
    record.access.find((entry) => entry.access_type === 'Administrator' || usable(entry)) ?? record.access[0];
  return { clusterId: first?.clusterId ?? null, scopeId: (first && usable(first)?.scope_id) ?? null };
}

const ROLE_STARTS = ['Root', 'OrgAdmin', 'User', 'ContentManager'];

/** Clears storage that another version wrote, or whose role makes no sense; true when it did. */
export function resetStaleStorage(appVersion: string): boolean {
  const role = readStored<string>('role');
  const stale =
    readStored<string>('version') !== appVersion ||
    (role !== undefined && !ROLE_STARTS.some((start) => role.startsWith(start)));
  if (stale) clearStored(['historyUrl']);
  writeStored('version', appVersion);
  return stale;
}
