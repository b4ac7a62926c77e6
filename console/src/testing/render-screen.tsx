import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { UserAccess } from '@tyrian/contract';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { activateLocale } from '../lib/i18n.ts';
import { storeSession } from '../lib/session-store.ts';

interface ScreenOptions {
  /** Path with parameters of the screen's route, e.g. `/incident/cases/:type`. */
  readonly route?: string;
  readonly url?: string;
  readonly access?: UserAccess;
  readonly scope?: { readonly clusterId: string | null; readonly scopeId: string | null };
}

/** Renders a screen as the app does, in en-US, for a signed-in user when `access` is given. */
export async function renderScreen(screen: ReactNode, options: ScreenOptions = {}) {
  await activateLocale('en-US');
  if (options.access) storeSession(options.access, options.scope ?? { clusterId: 'c1', scopeId: 's1' });
  const route = options.route ?? '*';
  const router = createMemoryRouter(
    [
      { path: route, element: screen },
      { path: '*', element: null },
    ],
    {
      initialEntries: [options.url ?? '/'],
    },
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const view = render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <ModalsProvider>
          <Notifications />
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { ...view, router };
}
