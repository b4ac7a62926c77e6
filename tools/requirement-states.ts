// How far a requirement is: proven by a test, guarded while its screen is still to come, or named by no test.
import { MENU, ROUTES, type Route } from '../packages/contract/src/index.ts';

export type RequirementState = 'proven' | 'guarded' | 'not named';

/** Tests that are generated over every call, route, menu entry or right: they name also what is not built yet. */
export const GENERATED: ReadonlySet<string> = new Set([
  'console/src/app/menu-rows.test.tsx',
  'console/src/app/route-rows.test.ts',
  'packages/contract/src/access/call-rights.test.ts',
  'packages/contract/src/access/menu-table.test.ts',
  'packages/contract/src/access/route-table.test.ts',
  'packages/contract/src/envelope/specified-calls.test.ts',
  'server/src/features/identity/audit/audit-walk.test.ts',
  'server/src/features/identity/sign-in/agreements.test.ts',
  'server/src/features/identity/users/foreign-ids.test.ts',
  'server/src/features/identity/users/hostile-input.test.ts',
  'server/src/features/identity/users/right-matrix.test.ts',
]);

/** Statements about rights, by the routes that they are about; the others are about more than a few pages. */
const ROUTES_OF_RULES: Readonly<Record<string, readonly string[]>> = {
  'S6-02': ['dashboards'],
  'S6-04': ['streams', 'entityBehaviour'],
  'S6-05': ['utilization'],
  'S6-06': ['collectionStatus'],
  'S6-08': ['tenantComponents', 'dataSources'],
  'S6-18': ['dashboards', 'dashboard'],
  'S6-19': ['reports', 'report'],
  'S6-22': ['collectionStatus'],
  'S6-23': ['utilization'],
  'S6-24': ['tenantComponents', 'dataSources'],
  'S6-28': ['models', 'model', 'entityBehaviour'],
};

/** The routes whose screens a requirement needs; none for most. */
function routesOf(id: string): readonly Route[] {
  const all: readonly Route[] = ROUTES;
  const named = ROUTES_OF_RULES[id] ?? [];
  const ofMenu = MENU.filter(({ requirement }) => requirement === id).map(({ route }) => route);
  return [...all.filter(({ name, requirement }) => requirement === id || named.includes(name)), ...ofMenu];
}

/**
 * The state of a requirement that these test files name. Guarded: nothing but generated tests names it, and not one of
 * its screens is built.
 */
export function stateOf(id: string, files: readonly string[]): RequirementState {
  if (files.length === 0) return 'not named';
  const routes = routesOf(id);
  const isToCome = routes.length > 0 && routes.every(({ built }) => !built);
  return isToCome && files.every((file) => GENERATED.has(file)) ? 'guarded' : 'proven';
}
