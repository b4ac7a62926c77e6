import '@mantine/core/styles.layer.css';
import '@mantine/dates/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './app/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { watchMissingFiles } from './app/new-build.tsx';
import { Providers } from './app/providers.tsx';
import { createConsoleRouter } from './app/router.tsx';
import { startSession } from './app/start-session.ts';
import { activateLocale } from './lib/i18n.ts';
import { readSettings } from './lib/settings.ts';
import { openStorage } from './lib/storage.ts';

await openStorage();
startSession();
watchMissingFiles();
await activateLocale(readSettings().locale);

const router = createConsoleRouter();
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  );
}
