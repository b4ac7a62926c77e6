import { act, render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { type ChangeAddress, useAddress, withParams } from './use-address.ts';

/** A page whose guard answers when the test says so, and the page's way to change its address. */
function makePage() {
  const page = { change: (() => {}) as ChangeAddress, pass: () => {}, shown: '' };
  function Page() {
    const [params, changeAddress] = useAddress();
    page.change = changeAddress;
    page.shown = String(params);
    return null;
  }
  const guard = () =>
    new Promise<null>((resolve) => {
      page.pass = () => resolve(null);
    });
  const router = createMemoryRouter(
    [
      { path: '/rules', Component: Page, loader: guard, HydrateFallback: () => null },
      { path: '/cases', element: null, loader: guard },
    ],
    { initialEntries: ['/rules?level=high'] },
  );
  render(<RouterProvider router={router} />);
  const pass = () => act(async () => page.pass());
  return { page, router, pass };
}

it('[S2-59] keeps two changes of an address that come while the page is guarded', async () => {
  const { page, router, pass } = makePage();
  await pass();
  expect(page.shown).toBe('level=high');
  await act(async () => page.change((now) => withParams(now, { open: 'T1059' })));
  await act(async () => page.change((now) => withParams(now, { q: 'power', level: '' }), { replace: true }));
  expect(page.shown).toBe('level=high');
  await pass();
  expect(page.shown).toBe('open=T1059&q=power');
  expect(router.state.location.search).toBe('?open=T1059&q=power');
});

it('[S4-33] does not take a user back who leaves the page while a change of it waits', async () => {
  const { page, router, pass } = makePage();
  await pass();
  await act(async () => void router.navigate('/cases'));
  await act(async () => page.change((now) => withParams(now, { q: 'power' })));
  await pass();
  expect(router.state.location.pathname).toBe('/cases');
  await act(async () => page.change((now) => withParams(now, { q: 'power' })));
  expect(router.state.location).toMatchObject({ pathname: '/cases', search: '' });
});
