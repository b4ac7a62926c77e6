import { type AccessEntry, type Route, routeByName } from '@tyrian/contract';
import { describe, expect, it } from 'vitest';
import { type Session, storeSession } from '../lib/session-store.ts';
import { sampleAccess, sampleCluster } from '../testing/sample-session.ts';
import { guardRoute } from './guard-route.ts';

const CASES = routeByName('cases');
const visit = (
  route: Route,
  params: Record<string, string> = { clusterId: 'c1', scopeId: 's1' },
  search = '',
) => ({ route, params, ending: route.path, search, hasScreen: true }) as const;
const as = (access: readonly AccessEntry[], clusterId = 'c1', scopeId: string | null = 's1'): Session =>
  storeSession(sampleAccess({ access }), { clusterId, scopeId });
const engineer = (more: Partial<AccessEntry> = {}) =>
  as([sampleCluster('c1', { s1: 'Security Engineer' }, more)]);
const viewer = () => as([sampleCluster('c1', { s1: 'Viewer' })]);

describe('guarding a route', () => {
  it('[S2-69] sends whoever is not signed in to sign in', () => {
    expect(guardRoute(visit(CASES), null)).toEqual({ kind: 'sign-in' });
    expect(guardRoute(visit(routeByName('signIn')), null)).toEqual({ kind: 'open' });
    expect(guardRoute(visit(routeByName('reportLink')), null)).toEqual({ kind: 'open' });
  });

  it('opens what the role may open', () => {
    expect(guardRoute(visit(CASES), engineer())).toEqual({ kind: 'open' });
  });

  it('[S5-07][S8-08] sends a role that is not allowed to no-access, with the scope, and says so', () => {
    expect(guardRoute(visit(CASES), viewer())).toEqual({
      kind: 'redirect',
      to: '/c1/s1/no-access/auth/no-access',
      refused: true,
    });
  });

  it('[S5-08][S5-09][S5-10] sends a smaller product type to the upgrade page', () => {
    const eba = visit(routeByName('entityBehaviour'));
    expect(guardRoute(eba, engineer({ productType: 'essential' }))).toMatchObject({
      to: '/c1/s1/upgrade/enterprise',
    });
    const both = { ...eba, route: { ...eba.route, productTypes: ['professional', 'enterprise'] } as Route };
    expect(guardRoute(both, engineer({ productType: 'essential' }))).toMatchObject({
      to: '/c1/s1/upgrade/professional',
    });
    expect(guardRoute(eba, engineer())).toEqual({ kind: 'open' });
  });

  it('[S5-11] leaves report links alone', () => {
    const link = visit(routeByName('reportLink'));
    const limited = { ...link, route: { ...link.route, productTypes: ['enterprise'] } as Route };
    const session = engineer({ productType: 'essential' });
    expect(guardRoute(limited, session)).toEqual({ kind: 'open' });
    expect(
      guardRoute({ ...limited, route: { ...limited.route, tags: ['engineer'] } }, session),
    ).toMatchObject({
      to: '/c1/s1/upgrade/enterprise',
    });
  });

  it('[S5-12] falls back by role where there is no screen', () => {
    const later = { ...visit(routeByName('streams')), hasScreen: false };
    expect(guardRoute(later, engineer())).toMatchObject({ to: '/c1/s1/workbook/new', refused: false });
  });

  it('[S2-79] leads to licence agreement and privacy policy before anything else, whatever the role or place', () => {
    const agreed = (EULA: boolean, isPolicyAccepted: boolean) =>
      storeSession(sampleAccess({ role: 'Security Engineer', user: { EULA, isPolicyAccepted } }), {
        clusterId: 'c1',
        scopeId: 's1',
      });
    expect(guardRoute(visit(CASES), agreed(false, false))).toEqual({
      kind: 'agree',
      to: '/c1/s1/privacy/eula',
    });
    expect(guardRoute(visit(CASES), agreed(true, false))).toEqual({
      kind: 'agree',
      to: '/c1/s1/privacy/policy',
    });
    const page = { ...visit(routeByName('agreements')), ending: '/privacy/eula' };
    expect(guardRoute(page, agreed(false, false))).toEqual({ kind: 'open' });
    expect(guardRoute(visit(routeByName('signIn')), agreed(false, false))).toEqual({ kind: 'open' });
    expect(guardRoute(visit(CASES), agreed(true, true))).toEqual({ kind: 'open' });
  });

  it('[S2-01] writes both ids into the address, and takes the marker for none', () => {
    const bare = visit(CASES, {}, '?status=all');
    expect(guardRoute(bare, engineer())).toMatchObject({ to: '/c1/s1/incident/cases?status=all' });
    const marked = visit(CASES, { clusterId: 'admin', scopeId: 'admin' });
    expect(guardRoute(marked, engineer())).toMatchObject({ to: '/c1/s1/incident/cases' });
  });

  it('[S4-33] changes place when the link names another that the user has', () => {
    const two = [sampleCluster('c1', { s1: 'Security Engineer' }), sampleCluster('c2', { s9: 'Viewer' })];
    expect(guardRoute(visit(CASES, { clusterId: 'c2', scopeId: 's9' }), as(two))).toEqual({
      kind: 'switch',
      selection: { clusterId: 'c2', scopeId: 's9' },
    });
  });

  it('tells nothing of a cluster or scope that the user does not have', () => {
    for (const params of [
      { clusterId: 'c7', scopeId: 's1' },
      { clusterId: 'c1', scopeId: 's7' },
    ]) {
      expect(guardRoute(visit(CASES, params), engineer())).toMatchObject({ refused: true });
    }
  });
});
