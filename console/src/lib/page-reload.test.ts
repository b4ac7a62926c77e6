import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { goAndReload } from './page-reload.ts';

const reload = vi.fn();
const location = { hash: '', reload };

beforeEach(() => {
  reload.mockClear();
  vi.stubGlobal('window', { location });
});
afterEach(() => vi.unstubAllGlobals());

it('[S2-80] goes to the target and loads anew, unless the page is already there', async () => {
  location.hash = '#/c1/s1/incident/cases';
  await goAndReload('/c2/s2/incident/cases');
  expect([location.hash, reload.mock.calls.length]).toEqual(['/c2/s2/incident/cases', 1]);
  location.hash = '#/c2/s2/incident/cases';
  await goAndReload('/c2/s2/incident/cases');
  expect(reload).toHaveBeenCalledOnce();
});
