import type { RoleTag } from './role-tags.ts';
import { type Route, routeByName } from './route-table.ts';

// The left menu: entries in order, each opening a route of the table and visible to whoever may open it,
// unless section 6 of the specification says otherwise. An entry whose screen is not built is absent.

export type MenuGroup = 'main' | 'system' | 'administration';

export interface MenuEntry {
  /** What the entry is called, e.g. `cases`; its title stands in the locale files under `menu.` and this. */
  readonly name: string;
  /** The requirement that names it, e.g. `S2-84`; absent for one of our own. */
  readonly requirement?: string;
  readonly group: MenuGroup;
  readonly route: Route;
  readonly tags: readonly RoleTag[];
}

const entry = (
  name: string,
  requirement: string | null,
  group: MenuGroup,
  routeName: string,
  tags?: readonly RoleTag[],
): MenuEntry => {
  const route = routeByName(routeName);
  return {
    name,
    ...(requirement === null ? {} : { requirement }),
    group,
    route,
    tags: tags ?? (route.tags === 'everyone' ? [] : route.tags),
  };
};

export const MENU: readonly MenuEntry[] = [
  entry('dashboards', 'S2-82', 'main', 'dashboards'),
  entry('find', 'S2-83', 'main', 'find'),
  entry('cases', 'S2-84', 'main', 'cases'),
  entry('signals', 'S2-85', 'main', 'signals'),
  entry('workbooks', 'S2-86', 'main', 'workbooks'),
  entry('rules', null, 'main', 'rules'),
  entry('ruleHealth', null, 'main', 'ruleHealth'),
  entry('reports', 'S2-87', 'main', 'reports', ['engineer', 'analyst']),
  entry('mitreAttack', 'S2-88', 'main', 'mitreAttack'),
  entry('streams', 'S2-89', 'main', 'streams'),
  entry('eba', 'S2-90', 'main', 'entityBehaviour'),
  entry('utilization', 'S2-93', 'system', 'utilization'),
  entry('collectionStatus', 'S2-94', 'system', 'collectionStatus', [
    'engineer',
    'tenant-admin',
    'root',
    'root-init',
    'root-viewer',
  ]),
  entry('enrichment', 'S2-95', 'system', 'enrichment'),
  entry('eventstores', 'S2-96', 'system', 'eventStores'),
  entry('extraction', 'S2-97', 'system', 'extraction'),
  entry('geoEnrichment', 'S2-98', 'system', 'geoEnrichment'),
  entry('automation', 'S2-99', 'system', 'automation'),
  entry('signalSuppression', 'S2-100', 'system', 'signalSuppression'),
  entry('signalJobs', null, 'system', 'signalJobs'),
  entry('scheduledJobs', null, 'system', 'scheduledJobs'),
  entry('slowQueries', 'S2-101', 'system', 'slowQueries', ['engineer']),
  entry('manageTokens', 'S2-102', 'system', 'tokens'),
  entry('machineLearning', 'S2-103', 'system', 'models'),
  entry('administration', 'S2-104', 'system', 'tenantComponents'),
  entry('dataSources', 'S2-105', 'system', 'dataSources'),
  entry('tenants', 'S2-106', 'system', 'tenants'),
  entry('organizations', 'S2-107', 'system', 'organizations'),
  entry('dataModel', 'S2-108', 'system', 'dataModel'),
  entry('configureSmtp', 'S2-110', 'administration', 'smtp'),
  entry('missionControl', 'S2-111', 'administration', 'clusters'),
  entry('manageComponents', 'S2-112', 'administration', 'components'),
  entry('switchboard', 'S2-113', 'administration', 'switchboard'),
  entry('jobs', null, 'administration', 'jobs'),
];

/** The entries that somebody with these tags sees: allowed, and with a screen. */
export function menuFor(tags: readonly RoleTag[]): readonly MenuEntry[] {
  return MENU.filter(
    (candidate) => candidate.route.built && candidate.tags.some((tag) => tags.includes(tag)),
  );
}
