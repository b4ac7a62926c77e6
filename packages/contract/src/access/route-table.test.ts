import { describe, expect, it } from 'vitest';
import { upgradePlan } from './product-types.ts';
import { ROLE_TAGS, type RoleTag } from './role-tags.ts';
import { ROUTES, type Route, routeByName } from './route-table.ts';

const tagsOf = (path: string): readonly RoleTag[] | 'everyone' => {
  const found = (ROUTES as readonly Route[]).filter((route) => route.path === path);
  expect(found, path).toHaveLength(1);
  return found[0]!.tags;
};
const sorted = (tags: readonly RoleTag[] | 'everyone') => (tags === 'everyone' ? tags : [...tags].sort());

/** Section 6, table "Route access", written out once more by hand. */
const ACCESS: [string, string[], readonly RoleTag[] | 'everyone'][] = [
  [
    'S6-14',
    [
      '/admin/clusters',
      '/admin/clusters/configure/:id',
      '/admin/components',
      '/admin/components/:type/:id/health',
      '/admin/components/:type/:id/configure',
      '/admin/smtp',
      '/admin/switchboard',
      '/admin/user/:id',
    ],
    ['root', 'root-viewer'],
  ],
  [
    'S6-15',
    ['/admin/organizations/list', '/admin/organizations/:orgId'],
    ['org-admin', 'root', 'root-init', 'root-viewer'],
  ],
  [
    'S6-16',
    ['/admin/tenants/list', '/admin/tenants/:clusterId'],
    ['tenant-admin', 'root', 'root-init', 'root-viewer'],
  ],
  ['S6-17', ['/admin/tenants/configure/:id'], ['root', 'root-init', 'root-viewer']],
  ['S6-18', ['/dashboard', '/dashboard/:type'], ['analyst', 'engineer', 'viewer']],
  ['S6-19', ['/reports', '/reports/:type'], ['analyst', 'engineer', 'root-viewer']],
  [
    'S6-20',
    [
      '/system/eventstores',
      '/jobs/scheduled',
      '/stream/list',
      '/system/extraction',
      '/system/extraction/:type',
      '/system/enrichment',
      '/system/enrichment/:type/:name',
      '/system/signalsuppression',
      '/system/geodb',
      '/system/integrations',
      '/system/models',
      '/system/models/:type/:name',
      '/system/token',
      '/eba',
    ],
    ['engineer'],
  ],
  [
    'S6-21',
    [
      '/jobs/signals',
      '/incident/signals',
      '/incident/cases',
      '/incident/cases/:type',
      '/system/slow-queries',
      '/home/:view/:id',
      '/workbook',
      '/workbook/new',
      '/workbook/:type/:data',
      '/mitre_attack',
      '/admin/global/:option',
    ],
    ['analyst', 'engineer'],
  ],
  [
    'S6-22',
    ['/system/collection_status'],
    ['engineer', 'tenant-admin', 'org-admin', 'root', 'root-init', 'root-viewer'],
  ],
  ['S6-23', ['/system/utilization'], ['tenant-admin', 'root', 'root-init', 'root-viewer']],
  [
    'S6-24',
    ['/system/components', '/system/components/:type/:id/health', '/system/components/:type/:id/configure'],
    ['tenant-admin'],
  ],
  // Wider than the specification: [T-CONNECTORS] engineers see what feeds their rules.
  ['S6-24', ['/system/connectors'], ['tenant-admin', 'engineer']],
  // Wider than the specification: [R-C43] who writes queries reads the model; one stream, where it changes, is as there.
  ['S6-25', ['/system/streamfieldaddition'], ['engineer', 'analyst', 'content-manager']],
  ['S6-25', ['/system/streamfieldaddition/:stream'], ['content-manager']],
  ['S6-26', ['/change-password', '/upgrade/:plan_type', '/privacy/:url'], ROLE_TAGS],
  [
    'S6-27',
    [
      '/auth/login',
      '/auth/login/verify-otp',
      '/auth/sso/:token',
      '/auth/reset-password/:linkType/:token',
      '/auth/reset-password/forgot_pass',
      '/auth/set-password/:token',
      '/auth/404',
      '/auth/500',
      '/no-access/auth/no-access',
      '/:id/reportlink/:theme/:licensetype',
    ],
    'everyone',
  ],
];

describe('[S6-14, S6-15, S6-16, S6-17, S6-18, S6-19, S6-20, S6-21, S6-22, S6-23, S6-24, S6-25, S6-26, S6-27] route table', () => {
  for (const [id, paths, tags] of ACCESS) {
    it(`[${id}] ${paths.length} routes open for ${tags === 'everyone' ? tags : tags.join(', ')}`, () => {
      for (const path of paths) expect(sorted(tagsOf(path)), path).toEqual(sorted(tags));
    });
  }

  it('names every route of section 6 and, of our own, the settings around the password, the jobs, the rules and their updates', () => {
    const known = [
      ...ACCESS.flatMap(([, paths]) => paths),
      '/settings',
      '/admin/jobs',
      '/rules',
      '/rules/health',
      '/rules/previews',
      '/rules/previews/:previewId',
      '/rules/new',
      '/rules/:ruleId',
      '/rules/:ruleId/edit',
      '/updates',
    ];
    expect(ROUTES.map((route) => route.path).sort()).toEqual(known.sort());
  });

  it('gives every route a name of its own', () => {
    expect(new Set(ROUTES.map((route) => route.name)).size).toBe(ROUTES.length);
    expect(() => routeByName('nowhere')).toThrow('no route nowhere');
  });

  it('[S6-28] models and EBA need the enterprise product type, nothing else does', () => {
    const limited = (ROUTES as readonly Route[]).filter((route) => route.productTypes);
    expect(limited.map((route) => route.path).sort()).toEqual([
      '/eba',
      '/system/models',
      '/system/models/:type/:name',
    ]);
    for (const route of limited) expect(route.productTypes).toEqual(['enterprise']);
  });

  it('[S5-10] the plan to offer is professional only from essential, else enterprise', () => {
    expect(upgradePlan('essential', ['professional', 'enterprise'])).toBe('professional');
    expect(upgradePlan('essential', ['enterprise'])).toBe('enterprise');
    expect(upgradePlan('professional', ['enterprise'])).toBe('enterprise');
  });

  it('[S2-02][S2-21] public and administration routes stand alone, jobs/scheduled stands below the cluster', () => {
    expect(routeByName('signIn').prefix).toBe('none');
    expect(routeByName('organizations').prefix).toBe('none');
    expect(routeByName('scheduledJobs').prefix).toBe('cluster');
    expect(routeByName('signals').prefix).toBe('both');
  });
});
