import { describe, expect, it } from 'vitest';
import { highestRole, type RoleFacts, roleRank, roleString, roleTags } from './role-tags.ts';

const nobody: RoleFacts = {
  isRoot: false,
  isRootViewer: false,
  isOrgAdmin: false,
  isContentManager: false,
  tenantCount: 1,
  isTenantAdmin: false,
  scopeRole: null,
};
const facts = (change: Partial<RoleFacts>): RoleFacts => ({ ...nobody, ...change });

describe('[S4-11, S4-12, S4-13, S4-14] role string', () => {
  it.each([
    [{ scopeRole: 'Security Engineer' }, 'User - Security Engineer'],
    [{ isOrgAdmin: true, scopeRole: 'Viewer' }, 'OrgAdmin - Viewer'],
    [{ isContentManager: true, scopeRole: 'Security Analyst' }, 'ContentManager - Security Analyst'],
    [{ isRoot: true, scopeRole: 'Security Engineer' }, 'Root - Security Engineer'],
    [{ isRoot: true, isOrgAdmin: true, isContentManager: true }, 'Root - No Access'],
    [{ isOrgAdmin: true, isContentManager: true }, 'OrgAdmin - No Access'],
  ] as [Partial<RoleFacts>, string][])('[S4-11][S4-12] %o is %s', (change, text) => {
    expect(roleString(facts(change))).toBe(text);
  });

  it.each([
    [{ isTenantAdmin: true, scopeRole: 'Security Engineer' }, 'User - Tenant Admin - Security Engineer'],
    [{ isTenantAdmin: true, scopeRole: 'Viewer' }, 'User - Tenant Admin - Viewer'],
    [{ isTenantAdmin: true, scopeRole: 'No Access' }, 'User - Tenant Admin'],
    [
      { isRoot: true, isTenantAdmin: true, scopeRole: 'Security Analyst' },
      'Root - Tenant Admin - Security Analyst',
    ],
  ] as [Partial<RoleFacts>, string][])('[S4-13][S4-14] %o is %s', (change, text) => {
    expect(roleString(facts(change))).toBe(text);
  });

  it('[S4-15] a root without tenants is Root - Init', () => {
    expect(roleString(facts({ isRoot: true, tenantCount: 0 }))).toBe('Root - Init');
    expect(roleTags(facts({ isRoot: true, tenantCount: 0 }))).toEqual(['root-init']);
  });

  it('[S4-16] without a scope the role is Tenant Admin or No Access', () => {
    expect(roleString(facts({ isTenantAdmin: true }))).toBe('User - Tenant Admin');
    expect(roleString(facts({}))).toBe('User - No Access');
    expect(roleTags(facts({}))).toEqual(['no-access']);
  });

  it('[S4-17][S9-08] the highest of several scope roles wins', () => {
    expect(highestRole(['Viewer', 'Security Engineer', 'Security Analyst'])).toBe('Security Engineer');
    expect(highestRole(['No Access', 'Viewer'])).toBe('Viewer');
    expect(highestRole([])).toBe('No Access');
    expect((['No Access', 'Viewer', 'Security Analyst', 'Security Engineer'] as const).map(roleRank)).toEqual(
      [0, 1, 2, 3],
    );
  });

  it('[S6-01] a root viewer is a role of its own and never gets the tag that sets things up', () => {
    const viewer = facts({ isRoot: true, isRootViewer: true, tenantCount: 0 });
    expect(roleString(viewer)).toBe('Root - Viewer');
    expect(roleTags(viewer)).toEqual(['root-viewer']);
    expect(roleTags(facts({ isRoot: true, isRootViewer: true }))).toEqual(['root-viewer']);
  });

  it('[S4-29][S6-01] every role string begins with one of the four user types', () => {
    const choices = [true, false];
    for (const isRoot of choices)
      for (const isOrgAdmin of choices)
        for (const isContentManager of choices)
          for (const isTenantAdmin of choices)
            for (const tenantCount of [0, 1])
              for (const scopeRole of [null, 'No Access', 'Viewer', 'Security Engineer'] as const) {
                const all = facts({
                  isRoot,
                  isOrgAdmin,
                  isContentManager,
                  isTenantAdmin,
                  tenantCount,
                  scopeRole,
                });
                expect(roleString(all)).toMatch(/^(Root|OrgAdmin|ContentManager|User) - \S/);
                expect(roleTags(all).length).toBeGreaterThan(0);
              }
  });

  it('[S6-01] tags add up: a tenant administrator may also be an analyst', () => {
    expect(roleTags(facts({ isTenantAdmin: true, scopeRole: 'Security Analyst' }))).toEqual([
      'tenant-admin',
      'analyst',
    ]);
  });
});
