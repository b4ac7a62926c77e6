import type { AccessEntry, ScopeRole, UserAccess } from '@tyrian/contract';

// Access records for tests: cluster `c1` with the scopes `s1` and `s2`.

interface SampleUser {
  readonly role?: ScopeRole;
  readonly isTenantAdmin?: boolean;
  readonly user?: Partial<UserAccess>;
  readonly access?: readonly AccessEntry[];
  readonly cluster?: Partial<AccessEntry>;
}

export function sampleCluster(
  clusterId: string,
  scopes: Readonly<Record<string, ScopeRole>>,
  more: Partial<AccessEntry> = {},
): AccessEntry {
  return {
    clusterId,
    clusterName: `Cluster ${clusterId}`,
    access_type: 'Custom',
    licenseType: 'open',
    productType: 'enterprise',
    scope_access: Object.entries(scopes).map(([scope_id, role]) => ({
      scope_id,
      scope_name: `Scope ${scope_id}`,
      role,
      is_enabled: true,
      cluster_id: clusterId,
    })),
    ...more,
  };
}

/** The access record of somebody with one role in scope s1 of cluster c1. */
export function sampleAccess({ role, isTenantAdmin, user, access, cluster }: SampleUser = {}): UserAccess {
  const own = sampleCluster('c1', role ? { s1: role } : {}, {
    access_type: isTenantAdmin ? 'Administrator' : role ? 'Custom' : 'No Access',
    ...cluster,
  });
  return {
    user_id: 'u1',
    name: 'Ada',
    email_id: 'ada@example.org',
    SSID: 'ssid-1',
    isRoot: false,
    isRootViewer: false,
    isOrgAdmin: false,
    isAdmin: isTenantAdmin ?? false,
    userType: 'general',
    orgId: 'o1',
    EULA: true,
    isPolicyAccepted: true,
    mfa_flag: 'disabled',
    locale: 'en-US',
    access: [...(access ?? [own])],
    ...user,
  };
}
