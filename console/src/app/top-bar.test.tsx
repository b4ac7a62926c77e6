import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { UserAccess } from '@tyrian/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { clearStored } from '../lib/storage.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { sampleAccess, sampleCluster } from '../testing/sample-session.ts';
import { TopBar } from './top-bar.tsx';

afterEach(() => {
  cleanup();
  clearStored();
});

const bar = (access: UserAccess, url = '/c1/s1/incident/cases') =>
  renderScreen(
    <TopBar
      isMobile={false}
      onToggleMenu={() => undefined}
      onShowKeys={() => undefined}
      onShowPalette={() => undefined}
    />,
    {
      access,
      url,
    },
  );
const engineer = sampleAccess({ role: 'Security Engineer' });

describe('the top bar', () => {
  it('[S1-13] shows the product name followed by the product type in upper case', async () => {
    await bar(engineer);
    expect(screen.getByText('Tyrian').parentElement?.textContent).toBe('TyrianENTERPRISE');
  });

  it('[S2-115] has a cluster selector only with more than one cluster', async () => {
    await bar(engineer);
    expect(screen.queryByLabelText(/^Tenant:/)).toBeNull();
    cleanup();
    const two = ['c1', 'c2'].map((id) => sampleCluster(id, { s1: 'Security Engineer' }));
    await bar(sampleAccess({ access: two }));
    expect(screen.getByLabelText('Tenant: Cluster c1')).toBeTruthy();
  });

  it('[S2-116] has a scope selector that is a choice only with more than one scope', async () => {
    await bar(engineer);
    expect(screen.getByText('Scope s1').closest('button')).toBeNull();
    cleanup();
    const two = sampleCluster('c1', { s1: 'Security Engineer', s2: 'Viewer' });
    await bar(sampleAccess({ access: [two] }));
    expect(screen.getByLabelText('Scope: Scope s1')).toBeTruthy();
  });

  it.each([
    ['/c1/s1/admin/clusters', true],
    ['/c1/s1/admin/clusters/configure/c1', true],
    ['/c1/s1/admin/user/u1', true],
    ['/admin/organizations/list', true],
    ['/admin/organizations/o1', true],
    ['/c1/s1/admin/components', true],
    ['/c1/s1/admin/components/api/a1/health', true],
    ['/c1/s1/admin/smtp', true],
    ['/c1/s1/admin/switchboard', true],
    ['/c1/s1/admin/global/cases', false],
    ['/c1/s1/system/components', false],
    ['/c1/s1/incident/cases', false],
    ['/admin/tenants/list', false],
  ])('[S2-116] at %s the scope is hidden: %s', async (url, isHidden) => {
    await bar(engineer, url);
    expect(screen.queryByText('Scope s1') === null).toBe(isHidden);
  });

  it.each([
    ['engineer', engineer, true],
    ['analyst', sampleAccess({ role: 'Security Analyst' }), true],
    [
      'tenant admin who is an engineer',
      sampleAccess({ role: 'Security Engineer', isTenantAdmin: true }),
      true,
    ],
    ['viewer', sampleAccess({ role: 'Viewer' }), false],
    ['no access', sampleAccess(), false],
    ['tenant admin', sampleAccess({ isTenantAdmin: true }), false],
    ['root', sampleAccess({ user: { isRoot: true, userType: 'root' } }), false],
  ])('[S2-117][S6-30] shows the notes icon or not: %s', async (_, access, isShown) => {
    await bar(access);
    expect(screen.queryByRole('button', { name: 'Case notes' }) !== null).toBe(isShown);
  });

  it('[S2-118] has a user menu with the email, Change password and Log out', async () => {
    await bar(engineer);
    fireEvent.click(screen.getByRole('button', { name: 'User menu' }));
    expect(await screen.findByText('ada@example.org')).toBeTruthy();
    expect(screen.getByRole('menuitem', { name: 'Change password' })).toBeTruthy();
    expect(screen.getByRole('menuitem', { name: 'Log out' })).toBeTruthy();
  });

  it('[S2-114] links the logo home for security roles only', async () => {
    await bar(engineer);
    expect(screen.getByText('Tyrian').closest('a')?.getAttribute('href')).toBe('/');
    cleanup();
    await bar(sampleAccess({ role: 'Viewer' }));
    expect(screen.getByText('Tyrian').closest('a')).toBeNull();
  });
});
