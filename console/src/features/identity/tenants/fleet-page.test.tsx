import { cleanup, fireEvent, screen } from '@testing-library/react';
import { codedText, type FleetItem, listFleet, say } from '@tyrian/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { activateLocale } from '../../../lib/i18n.ts';
import { clearStored } from '../../../lib/storage.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { sampleAccess } from '../../../testing/sample-session.ts';
import { stubCalls } from '../../../testing/stub-calls.ts';
import { FleetPage } from './fleet-page.tsx';

afterEach(async () => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
  await activateLocale('en-US');
});

it('[R-C39] says in French why the engine of a cluster is not reached, around the words of others', async () => {
  const silent = say('words.storeSilent', { reason: 'connect ECONNREFUSED' });
  const { message: problem, ...code } = codedText(say('engines.failed', { reason: silent }));
  const delta: FleetItem = {
    clusterId: 'c2',
    clusterName: 'Delta',
    licenseType: 'open',
    productType: 'enterprise',
    license_until: null,
    state: 'unreachable',
    primary_org: null,
    scope_count: 0,
    user_count: 0,
    engine_url: 'http://127.0.0.1:1',
    problem,
    ...code,
    events_24h: null,
    disk_bytes: null,
    last_event: null,
    created: 0,
  };
  stubCalls([[listFleet, () => ({ data: [delta], total_count: 1 })]]);
  const root = sampleAccess({ user: { isRoot: true } });
  await renderScreen(<FleetPage />, { access: root });
  await screen.findByRole('gridcell', { name: 'Delta' });
  await activateLocale('fr-FR');
  const state = await screen.findByText('Injoignable');
  fireEvent.mouseEnter(state.parentElement ?? state);
  const tip = 'Le moteur est en panne : le stockage des événements ne répond pas : connect ECONNREFUSED';
  expect(await screen.findByText(tip)).toBeTruthy();
});
