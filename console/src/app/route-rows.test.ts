import { ROUTES, type Route, type UserAccess } from '@tyrian/contract';
import { type LoaderFunctionArgs, matchRoutes, type RouteObject } from 'react-router';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { activateLocale } from '../lib/i18n.ts';
import { noticeList } from '../lib/notify.ts';
import { storeSession } from '../lib/session-store.ts';
import { clearStored, readStored } from '../lib/storage.ts';
import { sampleAccess } from '../testing/sample-session.ts';
import { consoleRoutes } from './router.tsx';
import { SCREENS } from './screens.ts';

// Every row of section 2's routes, walked through the real router as every role: who may open it stays there (or is
// sent on by role while it has no screen), everybody else is sent to no-access, and a stranger is asked to sign in.

const root = { isRoot: true, userType: 'root' } as const;
type Person = readonly [access: UserAccess, place: readonly [string | null, string | null]];

const PEOPLE: Readonly<Record<string, Person>> = {
  engineer: [sampleAccess({ role: 'Security Engineer' }), ['c1', 's1']],
  analyst: [sampleAccess({ role: 'Security Analyst' }), ['c1', 's1']],
  viewer: [sampleAccess({ role: 'Viewer' }), ['c1', 's1']],
  tenantAdmin: [sampleAccess({ isTenantAdmin: true, role: 'No Access' }), ['c1', 's1']],
  orgAdmin: [
    sampleAccess({ role: 'No Access', user: { isOrgAdmin: true, userType: 'org_admin' } }),
    ['c1', 's1'],
  ],
  contentManager: [sampleAccess({ role: 'No Access', user: { userType: 'content_manager' } }), ['c1', 's1']],
  root: [sampleAccess({ role: 'No Access', user: root }), ['c1', 's1']],
  rootViewer: [sampleAccess({ role: 'No Access', user: { ...root, isRootViewer: true } }), ['c1', 's1']],
  rootInit: [sampleAccess({ user: root, access: [] }), [null, null]],
  nobody: [sampleAccess({ role: 'No Access' }), ['c1', 's1']],
};

/** Section 5, "Unrecognised-route fallback": where a page without a screen leads. */
const FALLBACK: Readonly<Record<string, string>> = {
  engineer: '/c1/s1/workbook/new',
  analyst: '/c1/s1/workbook/new',
  viewer: '/c1/s1/no-access/auth/no-access',
  tenantAdmin: '/admin/tenants/list',
  orgAdmin: '/admin/organizations/list',
  contentManager: '/c1/s1/system/streamfieldaddition',
  root: '/c1/s1/admin/components',
  rootViewer: '/c1/s1/admin/components',
  rootInit: '/admin/tenants/list',
  nobody: '/c1/s1/no-access/auth/no-access',
};
const NO_ACCESS = '/c1/s1/no-access/auth/no-access';

/** Section 2, "The root path / redirects by role". */
const ROOT_PATH: Readonly<Record<string, string>> = {
  engineer: '/c1/s1/home/s1/c1',
  analyst: '/c1/s1/home/s1/c1',
  viewer: '/c1/s1/dashboard',
  // `admin/components` is closed to them, see section 6; they land where they administer.
  tenantAdmin: '/admin/tenants/list',
  orgAdmin: '/admin/organizations/list',
  contentManager: '/c1/s1/system/streamfieldaddition',
  root: '/c1/s1/admin/components',
  rootViewer: '/c1/s1/admin/components',
  rootInit: '/admin/tenants/list',
  nobody: NO_ACCESS,
};

const EVERYONE = Object.keys(PEOPLE);
const SECURITY = ['engineer', 'analyst'];
const ENGINEER = ['engineer'];
const READERS = [...SECURITY, 'viewer'];
const ROOTS = ['root', 'rootViewer'];
const ALL_ROOTS = [...ROOTS, 'rootInit'];
const TENANT_LIST = ['tenantAdmin', ...ALL_ROOTS];
const ORGANIZATIONS = ['orgAdmin', ...ALL_ROOTS];
const REPORTS = [...SECURITY, 'rootViewer'];
const ADMIN = ['tenantAdmin'];
const CONTENT = ['contentManager'];
const UTILIZATION = ['tenantAdmin', ...ALL_ROOTS];
const COLLECTION = ['engineer', 'orgAdmin', ...UTILIZATION];

/** Rows whose screens are still to come, by hand: a screen that is lost is no screen to come. */
const LATER = [...[11, 27, 28, 29, 30, 44, 46, 47, 52, 54]].map((row) => `S2-${row}`);

/** Title of the row, the address as the specification writes it with ids filled in, and who may open it. */
const PLACED: readonly (readonly [string, string, readonly string[]])[] = [
  ['[S2-12] clusters', '/admin/clusters', ROOTS],
  ['[S2-13] configuring a cluster', '/admin/clusters/configure/k1', ROOTS],
  ['[S2-14] components', '/admin/components', ROOTS],
  ['[S2-15] health of a component', '/admin/components/core/k1/health', ROOTS],
  ['[S2-16] configuring a component', '/admin/components/core/k1/configure', ROOTS],
  ['[S2-17] global views', '/admin/global/signals', SECURITY],
  ['[S2-18] SMTP', '/admin/smtp', ROOTS],
  ['[S2-19] switchboard', '/admin/switchboard', ROOTS],
  ['[S2-20] a user', '/admin/user/u1', ROOTS],
  ['[S2-26] dashboards', '/dashboard', READERS],
  ['[S2-27] a dashboard', '/dashboard/d1', READERS],
  ['[S2-28] reports', '/reports', REPORTS],
  ['[S2-29] a report', '/reports/r1', REPORTS],
  ['[S2-30] eventstores', '/system/eventstores', ENGINEER],
  ['[S2-32] jobs of signals', '/jobs/signals', SECURITY],
  ['[S2-33] signals', '/incident/signals', SECURITY],
  ['[S2-34] cases', '/incident/cases', SECURITY],
  ['[S2-35] a case', '/incident/cases/k1', SECURITY],
  ['[S2-36] streams', '/stream/list', ENGINEER],
  ['[S2-37] collection status', '/system/collection_status', COLLECTION],
  ['[S2-38] extraction', '/system/extraction', ENGINEER],
  ['[S2-39] an extractor', '/system/extraction/x1', ENGINEER],
  ['[S2-40] enrichment', '/system/enrichment', ENGINEER],
  ['[S2-41] a bucket', '/system/enrichment/custom/b1', ENGINEER],
  ['[S2-42] signal suppression', '/system/signalsuppression', ENGINEER],
  ['[S2-43] geo enrichment', '/system/geodb', ENGINEER],
  ['[S2-44] integrations', '/system/integrations', ENGINEER],
  ['[S2-45] slow queries', '/system/slow-queries', SECURITY],
  ['[S2-46] models', '/system/models', ENGINEER],
  ['[S2-47] a model', '/system/models/baseline/m1', ENGINEER],
  ['[S2-48] components of a tenant', '/system/components', ADMIN],
  ['[S2-48] health of a component of a tenant', '/system/components/core/k1/health', ADMIN],
  ['[S2-48] configuring a component of a tenant', '/system/components/core/k1/configure', ADMIN],
  ['[S2-49][T-CONNECTORS] connectors', '/system/connectors', [...ADMIN, ...ENGINEER]],
  ['[S2-50] utilization', '/system/utilization', UTILIZATION],
  ['[S2-51] tokens', '/system/token', ENGINEER],
  ['[S2-52] EBA', '/eba', ENGINEER],
  ['[S2-53][R-C43] data model', '/system/streamfieldaddition', [...SECURITY, ...CONTENT]],
  ['[S2-54] a stream of the data model', '/system/streamfieldaddition/FIREWALL', CONTENT],
  ['[S2-55] home', '/home/s1/c1', SECURITY],
  ['[S2-56] privacy', '/privacy/start', EVERYONE],
  ['[S2-57] workbooks', '/workbook', SECURITY],
  ['[S2-58] a workbook', '/workbook/edit/w1', SECURITY],
  ['[T-rules] rules, of our own', '/rules', SECURITY],
  ['[T-rules] a rule, of our own', '/rules/sigma-1', SECURITY],
  ['[T-RULE-HEALTH] rule health, of our own', '/rules/health', SECURITY],
  ['[T-RULE-PREVIEW] previews and retro-hunts, of our own', '/rules/previews', SECURITY],
  ['[T-RULE-PREVIEW] a preview, of our own', '/rules/previews/p1', SECURITY],
  ['[T-own-rules] a new rule, of our own', '/rules/new', ENGINEER],
  ['[T-own-rules] a rule that is written, of our own', '/rules/sigma-1/edit', ENGINEER],
  ['[S2-59] MITRE ATT&CK', '/mitre_attack', SECURITY],
  ['[S2-60] upgrade', '/upgrade/enterprise', EVERYONE],
  ['[S2-61] change password', '/change-password', EVERYONE],
  ['[R-C37] settings', '/settings', EVERYONE],
];

/** Routes without a place in front: public ones and the lists of the platform. */
const ALONE: readonly (readonly [string, string, readonly string[]])[] = [
  ['[S2-21] organizations', '/admin/organizations/list', ORGANIZATIONS],
  ['[S2-22] an organization', '/admin/organizations/o1', ORGANIZATIONS],
  ['[S2-23] tenants', '/admin/tenants/list', TENANT_LIST],
  ['[T-jobs] jobs, of our own', '/admin/jobs', ['orgAdmin', ...ADMIN, ...ROOTS]],
  ['[S2-24] configuring a tenant', '/admin/tenants/configure/c1', ALL_ROOTS],
  ['[S2-25] a tenant', '/admin/tenants/c1', TENANT_LIST],
];

const PUBLIC: readonly (readonly [string, string])[] = [
  ['[S2-02] sign in', '/auth/login'],
  ['[S2-03] verify OTP', '/auth/login/verify-otp'],
  ['[S2-04] single sign-on', '/auth/sso/token1'],
  ['[S2-05] reset password', '/auth/reset-password/reset/token1'],
  ['[S2-06] forgotten password', '/auth/reset-password/forgot_pass'],
  ['[S2-07] set password', '/auth/set-password/token1'],
  ['[S2-08] not found', '/auth/404'],
  ['[S2-09] server error', '/c1/s1/auth/500'],
  ['[S2-10] no access', '/c1/s1/no-access/auth/no-access'],
  ['[S2-11] report link', '/c1/s1/r1/reportlink/dark/open'],
];

let routes: RouteObject[];
beforeAll(() => {
  routes = consoleRoutes(async () => undefined);
});
afterEach(() => clearStored());

interface Visited {
  readonly routeName: string;
  /** Where the address leads; null when it opens. */
  readonly to: string | null;
}

/** Opens an address in the router as somebody, or as nobody at all. */
async function open(path: string, who: string | null): Promise<Visited> {
  const person = who === null ? null : PEOPLE[who];
  if (person) storeSession(person[0], { clusterId: person[1][0], scopeId: person[1][1] });
  const match = matchRoutes(routes, path)?.at(-1);
  if (!match || typeof match.route.loader !== 'function') throw new Error(`${path} leads to no guard`);
  const args = { params: match.params, request: new Request(`http://localhost${path}`), context: {} };
  const answer: unknown = await match.route.loader(args as unknown as LoaderFunctionArgs, undefined);
  const to = answer instanceof Response ? answer.headers.get('location') : null;
  return { routeName: (match.route.id ?? '').split(' ')[0] ?? '', to };
}

/** Routes of our own, and what the titles of their rows name. */
const OWN: Readonly<Record<string, string>> = {
  jobs: 'T-jobs',
  newRule: 'T-own-rules',
  ruleEditor: 'T-own-rules',
  ruleHealth: 'T-RULE-HEALTH',
  rulePreview: 'T-RULE-PREVIEW',
  rulePreviews: 'T-RULE-PREVIEW',
  rule: 'T-rules',
  rules: 'T-rules',
  settings: 'R-C37',
};
/** What the title of a row names: the requirement of the route, or what we promised ourselves. */
const requirementOf = (routeName: string): string => {
  const found = (ROUTES as readonly Route[]).find((route) => route.name === routeName);
  return found?.requirement ?? OWN[routeName] ?? '';
};
const hasScreen = (routeName: string) => !LATER.includes(requirementOf(routeName));

/** Where a route of the table has to lead somebody. */
function expectedFor(routeName: string, who: string, allowed: readonly string[]): string | null {
  if (!allowed.includes(who)) return who === 'rootInit' ? '/no-access/auth/no-access' : NO_ACCESS;
  return hasScreen(routeName) ? null : (FALLBACK[who] ?? '');
}

describe('[S2-01] routes below a cluster and a scope', () => {
  it.each(PLACED)('%s opens for its roles only, at %s', async (title, ending, allowed) => {
    for (const who of EVERYONE) {
      const place = who === 'rootInit' ? '' : '/c1/s1';
      const visited = await open(`${place}${ending}`, who);
      expect(title, `${ending} is ${visited.routeName}`).toContain(`[${requirementOf(visited.routeName)}]`);
      expect(visited.to, `${ending} as ${who}`).toBe(expectedFor(visited.routeName, who, allowed));
      clearStored();
    }
    expect((await open(`/c1/s1${ending}`, null)).to).toBe('/auth/login');
    expect(readStored('historyUrl')).toBe(`/c1/s1${ending}`);
  });

  it('[S2-31] scheduled jobs stand below the cluster alone', async () => {
    const visited = await open('/c1/jobs/scheduled', 'engineer');
    expect(visited).toEqual({
      routeName: 'scheduledJobs',
      to: hasScreen('scheduledJobs') ? null : FALLBACK.engineer,
    });
    expect((await open('/c1/jobs/scheduled', 'analyst')).to).toBe(NO_ACCESS);
    expect((await open('/jobs/scheduled', 'engineer')).to).toBe(
      hasScreen('scheduledJobs') ? '/c1/jobs/scheduled' : FALLBACK.engineer,
    );
  });

  it('[S2-46, S2-47, S2-52] a smaller product type is led to the upgrade page', async () => {
    for (const path of ['/system/models', '/system/models/baseline/m1', '/eba']) {
      storeSession(sampleAccess({ role: 'Security Engineer', cluster: { productType: 'professional' } }), {
        clusterId: 'c1',
        scopeId: 's1',
      });
      expect((await open(`/c1/s1${path}`, null)).to, path).toBe('/c1/s1/upgrade/enterprise');
    }
  });

  it('[S2-01] the ids are optional: an address without them is completed', async () => {
    expect((await open('/incident/cases', 'engineer')).to).toBe('/c1/s1/incident/cases');
    expect((await open('/admin/admin/incident/cases', 'engineer')).to).toBe('/c1/s1/incident/cases');
    expect((await open('/c1/incident/cases', 'engineer')).to).toBe('/c1/s1/incident/cases');
  });
});

describe('routes that stand alone', () => {
  it.each(ALONE)('%s opens for its roles only, at %s', async (title, path, allowed) => {
    for (const who of EVERYONE) {
      const visited = await open(path, who);
      expect(title).toContain(`[${requirementOf(visited.routeName)}]`);
      expect(visited.to, `${path} as ${who}`).toBe(expectedFor(visited.routeName, who, allowed));
      clearStored();
    }
    expect((await open(path, null)).to).toBe('/auth/login');
  });

  it.each(PUBLIC)('%s is open to everybody, at %s', async (title, path) => {
    for (const who of [null, ...EVERYONE]) {
      const visited = await open(path, who);
      expect(title).toContain(`[${requirementOf(visited.routeName)}]`);
      expect(visited.to, `${path} as ${who}`).toBe(hasScreen(visited.routeName) ? null : '/auth/404');
      clearStored();
    }
  });

  it('[S2-68] an unknown path leads to 404, and whoever is not signed in to sign-in', async () => {
    for (const path of ['/nowhere', '/c1/s1/system/nowhere', '/admin/nowhere']) {
      expect((await open(path, 'engineer')).to, path).toBe('/auth/404');
      clearStored();
      expect((await open(path, null)).to, path).toBe('/auth/login');
    }
  });

  it.each(Object.entries(ROOT_PATH))('[S2-62] the root path leads %s to %s', async (who, target) => {
    expect((await open('/', who)).to).toBe(target);
  });

  it('[S2-69] the root path leads whoever is not signed in to sign-in', async () => {
    expect((await open('/', null)).to).toBe('/auth/login');
  });

  it('[S5-07][S8-08] a refusal is said aloud, a page that opens says nothing', async () => {
    await activateLocale('en-US');
    await open('/c1/s1/incident/cases', 'engineer');
    expect(noticeList()).toEqual([]);
    clearStored();
    expect((await open('/c1/s1/incident/cases', 'viewer')).to).toBe(NO_ACCESS);
    expect(noticeList()).toEqual([
      expect.objectContaining({ tone: 'failed', title: 'You have no rights to access this page.' }),
    ]);
  });

  it('[S2-120] every route has a screen and counts as built, or is still to come', () => {
    for (const route of ROUTES) {
      expect([route.name, route.name in SCREENS]).toEqual([route.name, hasScreen(route.name)]);
      expect([route.name, route.built]).toEqual([route.name, hasScreen(route.name)]);
    }
  });

  it('[S3-07][S2-79] keeps the path that was asked for while the agreements are due', async () => {
    const user = { EULA: true, isPolicyAccepted: false };
    storeSession(sampleAccess({ role: 'Security Engineer', user }), { clusterId: 'c1', scopeId: 's1' });
    const visited = await open('/c1/s1/incident/cases', null);
    expect(visited.to).toBe('/c1/s1/privacy/policy');
    expect(readStored('acceptPath')).toBe('/c1/s1/incident/cases');
  });
});
