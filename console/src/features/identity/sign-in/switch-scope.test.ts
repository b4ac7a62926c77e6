import type { ScopeRole } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSession, storeSession } from '../../../lib/session-store.ts';
import { clearStored, readStored } from '../../../lib/storage.ts';
import { sampleAccess, sampleCluster } from '../../../testing/sample-session.ts';

const page = vi.hoisted(() => ({ goAndReload: vi.fn(), reloadPage: vi.fn() }));
const leave = vi.hoisted(() => vi.fn(async () => true));
vi.mock('../../../lib/page-reload.ts', () => page);
vi.mock('../../../lib/unsaved-work.ts', () => ({ mayLeavePage: leave }));
const { chooseScope, switchScope } = await import('./switch-scope.ts');

afterEach(() => {
  vi.clearAllMocks();
  clearStored();
});

/** An engineer in scope s1 of c1, on a page; in scope s2 somebody with the role given, in c2 its administrator. */
function stand(hash: string, role: ScopeRole) {
  const here = sampleCluster('c1', { s1: 'Security Engineer', s2: role });
  const there = sampleCluster('c2', {}, { access_type: 'Administrator' });
  storeSession(sampleAccess({ access: [here, there] }), { clusterId: 'c1', scopeId: 's1' });
  window.location.hash = hash;
}
const S2 = { clusterId: 'c1', scopeId: 's2' };

describe('another scope or cluster', () => {
  it('[S4-33] the role is computed anew and stored before the page is loaded', async () => {
    stand('/c1/s1/incident/cases', 'Security Analyst');
    page.goAndReload.mockImplementationOnce(() => {
      expect(readStored('role')).toBe('User - Security Analyst');
      expect(readStored('user')).toMatchObject({ scope_id: 's2', selectedScope: 'Scope s2' });
    });
    await chooseScope(S2);
    expect(page.goAndReload).toHaveBeenCalledExactlyOnceWith('/c1/s2/incident/cases');
  });

  it.each<readonly [string, ScopeRole, string]>([
    ['/c1/s1/incident/cases?status=all', 'Security Analyst', '/c1/s2/incident/cases?status=all'],
    ['/c1/s1/system/token', 'Security Analyst', '/c1/s2/home/s2/c1'],
    ['/c1/s1/incident/cases', 'Viewer', '/c1/s2/dashboard'],
    ['/c1/s1/workbook/new?query=Dns', 'Viewer', '/c1/s2/dashboard'],
    ['/c1/s1/dashboard', 'Viewer', '/c1/s2/dashboard'],
    ['/c1/s1/change-password', 'Viewer', '/c1/s2/change-password'],
    ['/c1/s1/incident/cases', 'No Access', '/c1/s2/no-access/auth/no-access'],
  ])('[S4-33] from %s as %s: to %s', async (hash, role, target) => {
    stand(hash, role);
    await chooseScope(S2);
    expect(page.goAndReload).toHaveBeenCalledExactlyOnceWith(target);
  });

  it('[S4-33] a cluster that one only administers opens at the tenants', async () => {
    stand('/c1/s1/incident/signals', 'Viewer');
    await chooseScope({ clusterId: 'c2', scopeId: null });
    expect(page.goAndReload).toHaveBeenCalledExactlyOnceWith('/admin/tenants/list');
  });

  it('[S4-33][S5-07] a link to another place is left to the guard, who refuses it aloud', async () => {
    stand('/c1/s1/dashboard', 'Viewer');
    await switchScope(S2, '/c1/s2/incident/cases');
    expect(page.goAndReload).toHaveBeenCalledExactlyOnceWith('/c1/s2/incident/cases');
  });

  it('[S4-33] loads the page anew where the address names the other place already', async () => {
    stand('/c1/s2/dashboard', 'Viewer');
    await switchScope(S2, '/c1/s2/dashboard');
    expect([page.reloadPage.mock.calls.length, page.goAndReload.mock.calls.length]).toEqual([1, 0]);
  });

  it('[S4-33] nothing changes for whoever stays with unsaved work', async () => {
    leave.mockResolvedValueOnce(false);
    stand('/c1/s1/workbook/edit/w1', 'Viewer');
    await chooseScope(S2);
    expect(page.goAndReload).not.toHaveBeenCalled();
    expect(readSession()?.role).toBe('User - Security Engineer');
  });
});
