import { ROUTES, type Route, SCOPE_ROLES, type ScopeRole, type UserAccess } from '@tyrian/contract';
import { matchPath } from 'react-router';
import { describe, expect, it } from 'vitest';
import { sampleAccess, sampleCluster } from '../testing/sample-session.ts';
import { fallbackTarget, hasScopesToChoose, landingTarget, mayOpen, rootTarget } from './landing.ts';
import { type Session, storeSession } from './session-store.ts';

const at = (record: UserAccess, clusterId: string | null = 'c1', scopeId: string | null = 's1'): Session =>
  storeSession(record, { clusterId, scopeId });
const root = { isRoot: true, userType: 'root' } as const;

const engineer = () => at(sampleAccess({ role: 'Security Engineer' }));
const analyst = () => at(sampleAccess({ role: 'Security Analyst' }));
const viewer = () => at(sampleAccess({ role: 'Viewer' }));
const nobody = () => at(sampleAccess(), 'c1', null);
const tenantAdmin = () => at(sampleAccess({ isTenantAdmin: true }), 'c1', null);
const rootInit = () => at(sampleAccess({ user: root, access: [] }), null, null);
const rootUser = () => at(sampleAccess({ user: root }), 'c1', null);
const rootViewer = () => at(sampleAccess({ user: { ...root, isRootViewer: true } }), 'c1', null);
const orgAdmin = () => at(sampleAccess({ user: { isOrgAdmin: true, userType: 'org_admin' } }), 'c1', null);
const contentManager = () => at(sampleAccess({ user: { userType: 'content_manager' } }), 'c1', null);
const HOME = '/c1/s1/home/s1/c1';

/** The form of a route that has as many leading ids as the path. */
function patternOf(route: Route, path: string): string {
  if (route.prefix === 'none') return route.path;
  const ids = ['c1', 's1'].filter((id) => path.split('/').slice(1, 3).includes(id)).length;
  return `${['', '/:clusterId', '/:clusterId/:scopeId'][ids]}${route.path}`;
}

describe('the root path', () => {
  it.each([
    ['[S2-63] root-init', rootInit, '/admin/tenants/list'],
    ['[S2-64] viewer', viewer, '/c1/s1/dashboard'],
    ['[S2-65] root', rootUser, '/c1/admin/components'],
    ['[S2-65] root viewer', rootViewer, '/c1/admin/components'],
    ['[S2-65] tenant admin, who may not open components', tenantAdmin, '/admin/tenants/list'],
    ['[S2-66] org admin', orgAdmin, '/admin/organizations/list'],
    ['[S2-67] engineer', engineer, HOME],
    ['[S2-67] analyst', analyst, HOME],
  ])('[S2-62] %s', (_, session, target) => {
    expect(rootTarget(session())).toBe(target);
  });
});

describe('landing after sign-in', () => {
  it.each([
    ['[S2-70] no access', nobody, '/c1/no-access/auth/no-access'],
    ['[S2-71] root-init', rootInit, '/admin/tenants/list'],
    ['[S2-72] root', rootUser, '/c1/admin/components'],
    ['[S2-73] org admin', orgAdmin, '/admin/organizations/list'],
    ['[S2-74] content manager', contentManager, '/c1/system/streamfieldaddition'],
    ['[S2-75] tenant admin', tenantAdmin, '/admin/tenants/list'],
    ['[S2-76] viewer', viewer, '/c1/s1/dashboard'],
    ['[S2-78] engineer', engineer, HOME],
  ])('%s', (_, session, target) => {
    expect(landingTarget(session(), null)).toBe(target);
  });

  it('[S6-29] whatever the roles: one page, the same each time, and never one that the guard would refuse', () => {
    const choices = [true, false];
    const roles: readonly (ScopeRole | undefined)[] = [undefined, ...SCOPE_ROLES];
    let groups = 0;
    for (const isRoot of choices)
      for (const isRootViewer of choices)
        for (const isOrgAdmin of choices)
          for (const userType of ['general', 'content_manager'] as const)
            for (const isTenantAdmin of choices)
              for (const role of roles)
                for (const hasTenants of choices) {
                  const user = { isRoot, isRootViewer: isRoot && isRootViewer, isOrgAdmin, userType };
                  const record = sampleAccess({
                    role,
                    isTenantAdmin,
                    user,
                    ...(hasTenants ? {} : { access: [] }),
                  });
                  const session = at(record, hasTenants ? 'c1' : null, hasTenants && role ? 's1' : null);
                  for (const target of [landingTarget(session, null), rootTarget(session)]) {
                    expect(target).toMatch(/^\/./);
                    const route = ROUTES.find((one) => matchPath(patternOf(one, target), target));
                    expect([target, route?.name]).toEqual([target, expect.any(String)]);
                    expect([target, mayOpen(session, route?.name ?? '')]).toEqual([target, true]);
                  }
                  groups++;
                }
    expect(groups).toBe(320);
  });

  it('[S2-77] goes to the stored URL, unless it is one of signing in', () => {
    const stored = '/c1/s1/incident/cases?status=all';
    expect(landingTarget(engineer(), stored)).toBe(stored);
    for (const path of ['/auth/sso/t', '/auth/404', '/auth/login/verify-otp']) {
      expect(landingTarget(engineer(), path)).toBe(HOME);
    }
    expect(landingTarget(viewer(), stored)).toBe('/c1/s1/dashboard');
  });

  it('[S2-78] offers a choice with several clusters, or several scopes with a security role', () => {
    expect(hasScopesToChoose(engineer())).toBe(false);
    const two = sampleCluster('c1', { s1: 'Security Analyst', s2: 'Security Engineer' });
    expect(hasScopesToChoose(at(sampleAccess({ access: [two] })))).toBe(true);
    const oneViewed = sampleCluster('c1', { s1: 'Security Analyst', s2: 'Viewer' });
    expect(hasScopesToChoose(at(sampleAccess({ access: [oneViewed] })))).toBe(false);
    const other = sampleCluster('c2', { s3: 'Viewer' });
    expect(hasScopesToChoose(at(sampleAccess({ access: [oneViewed, other] })))).toBe(true);
  });
});

describe('a page that is not there', () => {
  it.each([
    ['[S5-13] engineer', engineer, '/c1/s1/workbook/new'],
    ['[S5-13] analyst', analyst, '/c1/s1/workbook/new'],
    ['[S5-14] root', rootUser, '/c1/admin/components'],
    ['[S5-15] tenant admin', tenantAdmin, '/admin/tenants/list'],
    ['[S5-16] org admin', orgAdmin, '/admin/organizations/list'],
    ['[S5-17] content manager', contentManager, '/c1/system/streamfieldaddition'],
    ['[S5-18] nobody', nobody, '/c1/no-access/auth/no-access'],
    ['[S5-18] viewer', viewer, '/c1/s1/no-access/auth/no-access'],
  ])('[S5-12] %s', (_, session, target) => {
    expect(fallbackTarget(session())).toBe(target);
  });
});
