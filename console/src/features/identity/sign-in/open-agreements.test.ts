import { accessDetails } from '@tyrian/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { readSession, storeSession } from '../../../lib/session-store.ts';
import { clearStored, readStored } from '../../../lib/storage.ts';
import { sampleAccess } from '../../../testing/sample-session.ts';
import { stubCalls } from '../../../testing/stub-calls.ts';
import { openAgreements } from './open-agreements.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  clearStored();
});

it('[S2-79] opens what came into force during a session, and keeps the page to come back to', async () => {
  storeSession(sampleAccess({ role: 'Security Analyst' }), { clusterId: 'c1', scopeId: 's1' });
  stubCalls([
    [accessDetails, () => sampleAccess({ role: 'Security Analyst', user: { isPolicyAccepted: false } })],
  ]);
  window.location.hash = '/c1/s1/incident/cases?q=a';
  await openAgreements();
  expect(window.location.hash).toBe('#/c1/s1/privacy/policy');
  expect(readStored('acceptPath')).toBe('/c1/s1/incident/cases?q=a');
  expect(readSession()?.user.isPolicyAccepted).toBe(false);
});
