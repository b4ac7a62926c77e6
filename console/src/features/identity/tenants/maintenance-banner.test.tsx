import { cleanup, screen } from '@testing-library/react';
import { readBanner, type UserAccess } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../../lib/storage.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { sampleAccess } from '../../../testing/sample-session.ts';
import { stubCalls } from '../../../testing/stub-calls.ts';
import { MaintenanceBanner } from './maintenance-banner.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  clearStored();
});

/** What is asked of the server for the line above the pages. */
async function asked(access: UserAccess) {
  const { seen } = stubCalls([[readBanner, () => ({ text: 'Back at six' })]]);
  await renderScreen(<MaintenanceBanner />, { access });
  await screen.findByText('Back at six');
  return seen.map(({ input }) => input);
}

describe('the line of maintenance', () => {
  it('[R-C36] is asked for a cluster only by those who have access to it: nobody is greeted by a refusal', async () => {
    const ofCluster = { clusterId: 'c1' };
    expect(await asked(sampleAccess({ role: 'Viewer' }))).toEqual([ofCluster]);
    cleanup();
    expect(await asked(sampleAccess({ isTenantAdmin: true }))).toEqual([ofCluster]);
    cleanup();
    expect(await asked(sampleAccess({ user: { isRoot: true, userType: 'root' } }))).toEqual([ofCluster]);
    cleanup();
    expect(await asked(sampleAccess({ user: { isOrgAdmin: true } }))).toEqual([{}]);
    cleanup();
    expect(await asked(sampleAccess())).toEqual([{}]);
  });
});
