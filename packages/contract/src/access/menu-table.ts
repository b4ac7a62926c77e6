import type { RoleTag } from './role-tags.ts';
import { type Route, routeById } from './route-table.ts';

// The left menu: entries in order, each opening a route of the table and visible to whoever may open it,
// unless section 6 of the specification says otherwise. An entry whose screen is not built is absent.

export type MenuGroup = 'main' | 'system' | 'administration';

export interface MenuEntry {
  /** Requirement that names the entry, e.g. `S2-84`. */
  readonly id: string;
  /** Key of the title in the locale files, under `menu.`. */
  readonly title: string;
  readonly group: MenuGroup;
  readonly route: Route;
  readonly tags: readonly RoleTag[];
}

const entry = (
  id: string,
  title: string,
  group: MenuGroup,
  routeId: string,
  tags?: readonly RoleTag[],
): MenuEntry => {
  const route = routeById(routeId);
  return { id, title, group, route, tags: tags ?? (route.tags === 'everyone' ? [] : route.tags) };
};

export const MENU: readonly MenuEntry[] = [
  entry('S2-82', 'dashboards', 'main', 'S2-26'),
  entry('S2-83', 'find', 'main', 'S2-83'),
  entry('S2-84', 'cases', 'main', 'S2-34'),
  entry('S2-85', 'signals', 'main', 'S2-33'),
  entry('S2-86', 'workbooks', 'main', 'S2-57'),
  entry('S2-87', 'reports', 'main', 'S2-28', ['engineer', 'analyst']),
  entry('S2-88', 'mitreAttack', 'main', 'S2-59'),
  entry('S2-89', 'streams', 'main', 'S2-36'),
  entry('S2-90', 'eba', 'main', 'S2-52'),
  entry('S2-93', 'utilization', 'system', 'S2-50'),
  entry('S2-94', 'collectionStatus', 'system', 'S2-37', [
    'engineer',
    'tenant-admin',
    'root',
    'root-init',
    'root-viewer',
  ]),
  entry('S2-95', 'enrichment', 'system', 'S2-40'),
  entry('S2-96', 'eventstores', 'system', 'S2-30'),
  entry('S2-97', 'extraction', 'system', 'S2-38'),
  entry('S2-98', 'geoEnrichment', 'system', 'S2-43'),
  entry('S2-99', 'automation', 'system', 'S2-44'),
  entry('S2-100', 'signalSuppression', 'system', 'S2-42'),
  entry('S2-101', 'slowQueries', 'system', 'S2-45', ['engineer']),
  entry('S2-102', 'manageTokens', 'system', 'S2-51'),
  entry('S2-103', 'machineLearning', 'system', 'S2-46'),
  entry('S2-104', 'administration', 'system', 'S2-48'),
  entry('S2-105', 'dataSources', 'system', 'S2-49'),
  entry('S2-106', 'tenants', 'system', 'S2-23'),
  entry('S2-107', 'organizations', 'system', 'S2-21'),
  entry('S2-108', 'dataModel', 'system', 'S2-53'),
  entry('S2-110', 'configureSmtp', 'administration', 'S2-18'),
  entry('S2-111', 'missionControl', 'administration', 'S2-12'),
  entry('S2-112', 'manageComponents', 'administration', 'S2-14'),
  entry('S2-113', 'switchboard', 'administration', 'S2-19'),
  entry('S2-112-jobs', 'jobs', 'administration', 'S2-14-jobs'),
];

/** The entries that somebody with these tags sees: allowed, and with a screen. */
export function menuFor(tags: readonly RoleTag[]): readonly MenuEntry[] {
  return MENU.filter(
    (candidate) => candidate.route.built && candidate.tags.some((tag) => tags.includes(tag)),
  );
}
