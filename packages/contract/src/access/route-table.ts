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
  /** What the page is called everywhere, e.g. `signals`. */
  readonly name: string;
  /** The requirement that names it, e.g. `S2-33`; absent for one of our own. */
  readonly requirement?: string;
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
  name: string,
  requirement: string | null,
  path: string,
  tags: Route['tags'],
  options: { prefix?: RoutePrefix; productTypes?: readonly ProductType[]; built?: boolean } = {},
): Route => ({
  name,
  ...(requirement === null ? {} : { requirement }),
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
  route('signIn', 'S2-02', '/auth/login', 'everyone', { ...none, ...built }),
  route('secondFactor', 'S2-03', '/auth/login/verify-otp', 'everyone', { ...none, ...built }),
  route('singleSignOn', 'S2-04', '/auth/sso/:token', 'everyone', { ...none, ...built }),
  route('resetPassword', 'S2-05', '/auth/reset-password/:linkType/:token', 'everyone', { ...none, ...built }),
  route('forgotPassword', 'S2-06', '/auth/reset-password/forgot_pass', 'everyone', { ...none, ...built }),
  route('setPassword', 'S2-07', '/auth/set-password/:token', 'everyone', { ...none, ...built }),
  route('notFound', 'S2-08', '/auth/404', 'everyone', { ...none, ...built }),
  route('serverError', 'S2-09', '/auth/500', 'everyone', built),
  route('noAccess', 'S2-10', '/no-access/auth/no-access', 'everyone', built),
  route('reportLink', 'S2-11', '/:id/reportlink/:theme/:licensetype', 'everyone'),
  route('clusters', 'S2-12', '/admin/clusters', ROOTS, built),
  route('cluster', 'S2-13', '/admin/clusters/configure/:id', ROOTS, built),
  route('components', 'S2-14', '/admin/components', ROOTS, built),
  route('componentHealth', 'S2-15', '/admin/components/:type/:id/health', ROOTS, built),
  route('componentConfiguration', 'S2-16', '/admin/components/:type/:id/configure', ROOTS, built),
  // Not of the specification: what runs behind answers and by the clock.
  route('jobs', null, '/admin/jobs', ['org-admin', 'tenant-admin', ...ROOTS], { ...none, ...built }),
  route('global', 'S2-17', '/admin/global/:option', SECURITY, built),
  route('smtp', 'S2-18', '/admin/smtp', ROOTS, built),
  route('switchboard', 'S2-19', '/admin/switchboard', ROOTS, built),
  route('user', 'S2-20', '/admin/user/:id', ROOTS, built),
  route('organizations', 'S2-21', '/admin/organizations/list', ['org-admin', ...ALL_ROOTS], {
    ...none,
    ...built,
  }),
  route('organization', 'S2-22', '/admin/organizations/:orgId', ['org-admin', ...ALL_ROOTS], {
    ...none,
    ...built,
  }),
  route('tenants', 'S2-23', '/admin/tenants/list', TENANT_LIST, { ...none, ...built }),
  route('tenantConfiguration', 'S2-24', '/admin/tenants/configure/:id', ALL_ROOTS, { ...none, ...built }),
  route('tenant', 'S2-25', '/admin/tenants/:clusterId', TENANT_LIST, { ...none, ...built }),
  route('dashboards', 'S2-26', '/dashboard', ['viewer', ...SECURITY], built),
  route('dashboard', 'S2-27', '/dashboard/:type', ['viewer', ...SECURITY]),
  route('reports', 'S2-28', '/reports', [...SECURITY, 'root-viewer']),
  route('report', 'S2-29', '/reports/:type', [...SECURITY, 'root-viewer']),
  route('eventStores', 'S2-30', '/system/eventstores', ENGINEER, built),
  route('scheduledJobs', 'S2-31', '/jobs/scheduled', ENGINEER, { prefix: 'cluster', ...built }),
  route('signalJobs', 'S2-32', '/jobs/signals', SECURITY, built),
  route('signals', 'S2-33', '/incident/signals', SECURITY, built),
  route('cases', 'S2-34', '/incident/cases', SECURITY, built),
  route('case', 'S2-35', '/incident/cases/:type', SECURITY, built),
  route('streams', 'S2-36', '/stream/list', ENGINEER, built),
  route(
    'collectionStatus',
    'S2-37',
    '/system/collection_status',
    ['engineer', 'tenant-admin', 'org-admin', ...ALL_ROOTS],
    built,
  ),
  route('extraction', 'S2-38', '/system/extraction', ENGINEER, built),
  route('extractionRule', 'S2-39', '/system/extraction/:type', ENGINEER, built),
  route('enrichment', 'S2-40', '/system/enrichment', ENGINEER, built),
  route('enrichmentTable', 'S2-41', '/system/enrichment/:type/:name', ENGINEER, built),
  route('signalSuppression', 'S2-42', '/system/signalsuppression', ENGINEER, built),
  route('geoEnrichment', 'S2-43', '/system/geodb', ENGINEER, built),
  route('automation', 'S2-44', '/system/integrations', ENGINEER),
  route('slowQueries', 'S2-45', '/system/slow-queries', SECURITY, built),
  route('models', 'S2-46', '/system/models', ENGINEER, { productTypes: ENTERPRISE }),
  route('model', 'S2-47', '/system/models/:type/:name', ENGINEER, { productTypes: ENTERPRISE }),
  route('tenantComponents', 'S2-48', '/system/components', ['tenant-admin'], built),
  route('tenantComponentHealth', 'S2-48', '/system/components/:type/:id/health', ['tenant-admin'], built),
  route(
    'tenantComponentConfiguration',
    'S2-48',
    '/system/components/:type/:id/configure',
    ['tenant-admin'],
    built,
  ),
  // The specification names administrators alone, who change them; engineers see what feeds their rules.
  route('dataSources', 'S2-49', '/system/connectors', ['tenant-admin', 'engineer'], built),
  route('utilization', 'S2-50', '/system/utilization', ['tenant-admin', ...ALL_ROOTS], built),
  route('tokens', 'S2-51', '/system/token', ENGINEER, built),
  route('entityBehaviour', 'S2-52', '/eba', ENGINEER, { productTypes: ENTERPRISE }),
  // The specification names content managers alone. What this page shows, streams and columns to read, is what everybody
  // who writes a query needs; changing the model, the page of one stream, stays theirs.
  route('dataModel', 'S2-53', '/system/streamfieldaddition', [...SECURITY, 'content-manager'], built),
  route('dataModelStream', 'S2-54', '/system/streamfieldaddition/:stream', ['content-manager'], built),
  route('home', 'S2-55', '/home/:view/:id', SECURITY, built),
  route('agreements', 'S2-56', '/privacy/:url', ROLE_TAGS, built),
  route('workbooks', 'S2-57', '/workbook', SECURITY, built),
  route('workbook', 'S2-58', '/workbook/:type/:data', SECURITY, built),
  route('find', 'S2-83', '/workbook/new', SECURITY, built),
  // Not of the specification: rules of packs, beside the workbooks.
  route('rules', null, '/rules', SECURITY, built),
  route('ruleHealth', null, '/rules/health', SECURITY, built),
  route('rulePreviews', null, '/rules/previews', SECURITY, built),
  route('rulePreview', null, '/rules/previews/:previewId', SECURITY, built),
  route('newRule', null, '/rules/new', ENGINEER, built),
  route('rule', null, '/rules/:ruleId', SECURITY, built),
  route('ruleEditor', null, '/rules/:ruleId/edit', ENGINEER, built),
  // Not of the specification: what is newer than what the tenant runs.
  route('contentUpdates', null, '/updates', SECURITY, built),
  route('mitreAttack', 'S2-59', '/mitre_attack', SECURITY, built),
  route('upgrade', 'S2-60', '/upgrade/:plan_type', ROLE_TAGS, built),
  route('changePassword', 'S2-61', '/change-password', ROLE_TAGS, built),
  route('settings', null, '/settings', ROLE_TAGS, built),
] as const satisfies readonly Route[];

/** The route of this name. */
export function routeByName(name: string): Route {
  const found = ROUTES.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no route ${name}`);
  return found;
}
