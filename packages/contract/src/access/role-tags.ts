// A user's rights in one scope of a tenant are a set of tags. Routes, menu entries and calls
// name the tags that open them. Sections 4 and 6 of the specification.

export const SCOPE_ROLES = ['No Access', 'Viewer', 'Security Analyst', 'Security Engineer'] as const;
export type ScopeRole = (typeof SCOPE_ROLES)[number];

/** Rank of a scope role: No Access 0, Viewer 1, Security Analyst 2, Security Engineer 3. */
export function roleRank(role: ScopeRole): number {
  return SCOPE_ROLES.indexOf(role);
}

/** The highest of several scope roles; No Access when there is none. */
export function highestRole(roles: readonly ScopeRole[]): ScopeRole {
  return roles.reduce<ScopeRole>(
    (best, role) => (roleRank(role) > roleRank(best) ? role : best),
    'No Access',
  );
}

export const ROLE_PREFIXES = ['Root', 'OrgAdmin', 'ContentManager', 'User'] as const;
export type RolePrefix = (typeof ROLE_PREFIXES)[number];

export const ROLE_TAGS = [
  'root',
  'root-init',
  'root-viewer',
  'org-admin',
  'content-manager',
  'tenant-admin',
  'engineer',
  'analyst',
  'viewer',
  'no-access',
] as const;
export type RoleTag = (typeof ROLE_TAGS)[number];

/** What is known of a user in a scope; the input of role string and tags. */
export interface RoleFacts {
  readonly isRoot: boolean;
  /** A root user who may look but not change. */
  readonly isRootViewer: boolean;
  readonly isOrgAdmin: boolean;
  readonly isContentManager: boolean;
  /** How many tenants the user can see; a root with none is Root - Init. */
  readonly tenantCount: number;
  /** True when access_type of the cluster is Administrator. */
  readonly isTenantAdmin: boolean;
  /** Highest role over the scopes in question; null when there is no scope. */
  readonly scopeRole: ScopeRole | null;
}

/**
 * Root before Org Admin before Content Manager before User. Written without a space, because storage is reset
 * when the role does not begin with one of exactly these words (section 4).
 */
export function rolePrefix(facts: RoleFacts): RolePrefix {
  if (facts.isRoot) return 'Root';
  if (facts.isOrgAdmin) return 'OrgAdmin';
  if (facts.isContentManager) return 'ContentManager';
  return 'User';
}

/**
 * The role string of section 4, e.g. `User - Tenant Admin - Security Engineer`, `Root - Init`. No Access is said
 * only when nothing else is; a root viewer is `Root - Viewer` unless a scope gives more.
 */
export function roleString(facts: RoleFacts): string {
  const prefix = rolePrefix(facts);
  if (isRootInit(facts)) return 'Root - Init';
  const parts: string[] = facts.isTenantAdmin ? [prefix, 'Tenant Admin'] : [prefix];
  const scopeRole = facts.scopeRole ?? 'No Access';
  if (scopeRole !== 'No Access') parts.push(scopeRole);
  else if (facts.isRoot && facts.isRootViewer) parts.push('Viewer');
  else if (!facts.isTenantAdmin) parts.push('No Access');
  return parts.join(' - ');
}

/** A root without tenants sets the platform up; a root viewer never does. */
function isRootInit(facts: RoleFacts): boolean {
  return facts.isRoot && !facts.isRootViewer && facts.tenantCount === 0;
}

/** The tags that open routes, menu entries and calls. Never empty. */
export function roleTags(facts: RoleFacts): readonly RoleTag[] {
  const tags: RoleTag[] = [];
  if (facts.isRoot) tags.push(isRootInit(facts) ? 'root-init' : facts.isRootViewer ? 'root-viewer' : 'root');
  if (facts.isOrgAdmin) tags.push('org-admin');
  if (facts.isContentManager) tags.push('content-manager');
  if (facts.isTenantAdmin) tags.push('tenant-admin');
  if (facts.scopeRole === 'Security Engineer') tags.push('engineer');
  if (facts.scopeRole === 'Security Analyst') tags.push('analyst');
  if (facts.scopeRole === 'Viewer') tags.push('viewer');
  return tags.length > 0 ? tags : ['no-access'];
}

/** Groups of tags that tables name often. */
export const SECURITY: readonly RoleTag[] = ['engineer', 'analyst'];
export const ROOTS: readonly RoleTag[] = ['root', 'root-viewer'];
export const ALL_ROOTS: readonly RoleTag[] = ['root', 'root-init', 'root-viewer'];
