import { IconCircle } from '@tabler/icons-react';
import { cleanup, screen, within } from '@testing-library/react';
import { MENU, menuFor, type UserAccess } from '@tyrian/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { clearStored } from '../lib/storage.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { sampleAccess, sampleCluster } from '../testing/sample-session.ts';
import { activeEntry, LeftMenu } from './left-menu.tsx';
import { menuIcon } from './menu-icons.ts';
import { SWIPE_MOVE_PX, SWIPE_START_PX, swipeEffect } from './use-swipe.ts';

afterEach(() => {
  cleanup();
  clearStored();
});

const menu = (access: UserAccess, mode: 'full' | 'collapsed' = 'full') =>
  renderScreen(<LeftMenu mode={mode} isOpen onClose={() => undefined} />, {
    access,
    url: '/c1/s1/incident/cases',
  });
const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

describe('the left menu', () => {
  it('[S4-31][S2-81][R-C43] holds what the role may open, under the ids of the place', async () => {
    await menu(sampleAccess({ role: 'Security Analyst' }));
    expect(links()).toEqual([
      '/c1/s1/dashboard',
      '/c1/s1/workbook/new',
      '/c1/s1/incident/cases',
      '/c1/s1/incident/signals',
      '/c1/s1/workbook',
      '/c1/s1/rules',
      '/c1/s1/rules/health',
      '/c1/s1/mitre_attack',
      '/c1/s1/jobs/signals',
      '/c1/s1/system/streamfieldaddition',
    ]);
  });

  it('[R-C35] offers signals and cases of all places to whoever works in several', async () => {
    const several = [sampleCluster('c1', { s1: 'Security Analyst', s2: 'Security Analyst' })];
    await menu(sampleAccess({ access: several }));
    expect(screen.getByRole('link', { name: 'Global signals' }).getAttribute('href')).toBe(
      '/c1/s1/admin/global/signals',
    );
    expect(links()).toContain('/c1/s1/admin/global/cases');
    cleanup();
    await menu(sampleAccess({ access: [sampleCluster('c1', { s1: 'Viewer', s2: 'Viewer' })] }));
    expect(screen.queryByRole('link', { name: 'Global signals' })).toBeNull();
  });

  it('[S2-81] shows an icon of its own for every entry', () => {
    expect(MENU.filter(({ name, route }) => route.built && menuIcon(name) === IconCircle)).toEqual([]);
  });

  it('[S2-109] groups what root administers', async () => {
    await menu(sampleAccess({ user: { isRoot: true, userType: 'root' } }));
    expect(screen.getByText('System')).toBeTruthy();
    expect(screen.getByText('Administration')).toBeTruthy();
    expect(links()).toContain('/admin/tenants/list');
    expect(links().some((href) => href?.endsWith('/admin/components'))).toBe(true);
  });

  it('[S6-12][S6-13][S4-15] before the first tenant root makes tenants and organizations, and then gets the rest', async () => {
    const root = { isRoot: true, userType: 'root' } as const;
    await menu(sampleAccess({ user: root, access: [] }));
    expect(links()).toEqual(['/admin/tenants/list', '/admin/organizations/list']);
    expect(screen.queryByText('Administration')).toBeNull();
    cleanup();
    for (const user of [root, { ...root, isRootViewer: true }]) {
      await menu(sampleAccess({ user }));
      expect(links().slice(-5)).toEqual([
        ...['smtp', 'clusters', 'components', 'switchboard'].map((page) => `/c1/admin/${page}`),
        '/admin/jobs',
      ]);
      cleanup();
    }
  });

  it('names each entry when it is collapsed', async () => {
    await menu(sampleAccess({ role: 'Viewer' }), 'collapsed');
    expect(within(screen.getByRole('navigation')).getByRole('link', { name: 'Dashboards' })).toBeTruthy();
  });

  it('marks the entry with the longest matching path', () => {
    const entries = menuFor(['engineer']);
    expect(activeEntry(entries, '/c1/s1/workbook/new')).toBe('find');
    expect(activeEntry(entries, '/c1/s1/workbook/edit/w1')).toBe('workbooks');
    expect(activeEntry(entries, '/c1/s1/workbook/new/blank')).toBe('workbooks');
    expect(activeEntry(entries, '/c1/s1/incident/cases/k1')).toBe('cases');
    expect(activeEntry(entries, '/c1/s1/change-password')).toBeNull();
  });

  it('[S9-06][S2-114] opens by a swipe from the edge and closes by one back', () => {
    expect([SWIPE_START_PX, SWIPE_MOVE_PX]).toEqual([70, 50]);
    expect(swipeEffect(70, 120)).toBe('open');
    expect(swipeEffect(71, 140)).toBeNull();
    expect(swipeEffect(10, 59)).toBeNull();
    expect(swipeEffect(200, 150)).toBe('close');
  });
});
