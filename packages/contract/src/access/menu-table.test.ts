import { describe, expect, it } from 'vitest';
import { MENU, menuFor } from './menu-table.ts';
import { ROLE_TAGS, type RoleTag } from './role-tags.ts';

/** Section 6, table "Menu visibility", written out once more by hand. */
const VISIBLE: [string, string[], RoleTag[]][] = [
  ['S6-02', ['dashboards'], ['engineer', 'analyst', 'viewer']],
  ['S6-03', ['find', 'cases', 'signals', 'workbooks', 'reports', 'mitreAttack'], ['engineer', 'analyst']],
  ['S6-04', ['streams', 'eba'], ['engineer']],
  ['S6-05', ['utilization'], ['tenant-admin', 'root', 'root-init', 'root-viewer']],
  ['S6-06', ['collectionStatus'], ['engineer', 'tenant-admin', 'root', 'root-init', 'root-viewer']],
  [
    'S6-07',
    [
      'enrichment',
      'eventstores',
      'extraction',
      'geoEnrichment',
      'automation',
      'signalSuppression',
      'slowQueries',
      'manageTokens',
      'machineLearning',
    ],
    ['engineer'],
  ],
  ['S6-08', ['administration'], ['tenant-admin']],
  // Wider than the specification: [T-CONNECTORS] engineers see what feeds their rules.
  ['S6-08', ['dataSources'], ['tenant-admin', 'engineer']],
  ['S6-09', ['tenants'], ['tenant-admin', 'root', 'root-init', 'root-viewer']],
  ['S6-10', ['organizations'], ['org-admin', 'root', 'root-init', 'root-viewer']],
  // Wider than the specification: [R-C43] who writes queries reads the model.
  ['S6-11', ['dataModel'], ['engineer', 'analyst', 'content-manager']],
  ['S6-12', ['configureSmtp', 'missionControl', 'switchboard'], ['root', 'root-viewer']],
  ['S6-13', ['manageComponents'], ['root', 'root-viewer']],
  // Of our own.
  ['S6-03', ['rules', 'ruleHealth'], ['engineer', 'analyst']],
  ['S6-21', ['signalJobs'], ['engineer', 'analyst']],
  ['S6-20', ['scheduledJobs'], ['engineer']],
  ['S6-13', ['jobs'], ['org-admin', 'tenant-admin', 'root', 'root-viewer']],
];

describe('[S6-02, S6-03, S6-04, S6-05, S6-06, S6-07, S6-08, S6-09, S6-10, S6-11, S6-12, S6-13] menu table', () => {
  for (const [id, titles, tags] of VISIBLE) {
    it(`[${id}] ${titles.join(', ')}: ${tags.join(', ')}`, () => {
      for (const title of titles) {
        const entry = MENU.find((candidate) => candidate.name === title);
        expect([...(entry?.tags ?? [])].sort(), title).toEqual([...tags].sort());
      }
    });
  }

  it('has every entry of section 6', () => {
    expect(MENU.map((entry) => entry.name).sort()).toEqual(VISIBLE.flatMap(([, titles]) => titles).sort());
  });

  it('[S2-81] an entry opens a route that lets in whoever sees the entry', () => {
    for (const entry of MENU) {
      const open = entry.route.tags;
      if (open !== 'everyone') for (const tag of entry.tags) expect(open, entry.name).toContain(tag);
    }
  });

  it.each([
    ['S2-82', '/dashboard'],
    ['S2-83', '/workbook/new'],
    ['S2-84', '/incident/cases'],
    ['S2-85', '/incident/signals'],
    ['S2-86', '/workbook'],
    ['S2-87', '/reports'],
    ['S2-88', '/mitre_attack'],
    ['S2-89', '/stream/list'],
    ['S2-90', '/eba'],
    ['S2-93', '/system/utilization'],
    ['S2-94', '/system/collection_status'],
    ['S2-95', '/system/enrichment'],
    ['S2-96', '/system/eventstores'],
    ['S2-97', '/system/extraction'],
    ['S2-98', '/system/geodb'],
    ['S2-99', '/system/integrations'],
    ['S2-100', '/system/signalsuppression'],
    ['S2-101', '/system/slow-queries'],
    ['S2-102', '/system/token'],
    ['S2-103', '/system/models'],
    ['S2-104', '/system/components'],
    ['S2-105', '/system/connectors'],
    ['S2-106', '/admin/tenants/list'],
    ['S2-107', '/admin/organizations/list'],
    ['S2-108', '/system/streamfieldaddition'],
    ['S2-110', '/admin/smtp'],
    ['S2-111', '/admin/clusters'],
    ['S2-112', '/admin/components'],
    ['S2-113', '/admin/switchboard'],
  ])('[%s] leads to %s', (id, path) => {
    expect(MENU.find((entry) => entry.requirement === id)?.route.path).toBe(path);
  });

  it('[S2-92][S2-109] has the groups System and Administration, in the order of the specification', () => {
    expect([...new Set(MENU.map((entry) => entry.group))]).toEqual(['main', 'system', 'administration']);
  });

  it('[S2-82, S2-83, S2-84, S2-85, S2-86, S2-106, S2-107, S2-108, S2-112] entries of screens that stand are shown', () => {
    const shown = menuFor(ROLE_TAGS).map((entry) => entry.requirement);
    expect(shown).toEqual(
      expect.arrayContaining([
        'S2-82',
        'S2-83',
        'S2-84',
        'S2-85',
        'S2-86',
        'S2-106',
        'S2-107',
        'S2-108',
        'S2-112',
      ]),
    );
  });

  it('shows nobody an entry without a screen, and nothing to those without access', () => {
    for (const tag of ROLE_TAGS) {
      for (const entry of menuFor([tag])) expect(entry.route.built).toBe(true);
    }
    expect(menuFor(['no-access'])).toEqual([]);
    expect(menuFor(['engineer', 'tenant-admin']).map((entry) => entry.name)).toEqual(
      expect.arrayContaining(['find', 'cases', 'signals', 'workbooks']),
    );
  });
});
