import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import dayjs from 'dayjs';
import { afterAll, vi } from 'vitest';
import { installBrowserStandIns } from './browser-stand-ins.ts';

// Files share a process with its browser and its libraries: loading them would take longer than the tests. The
// console's own modules are made anew for each file, and what a file leaves in browser and libraries goes with it.

// What a test waits for on a page may take longer than the usual second on a machine that does other work.
configure({ asyncUtilTimeout: 10_000 });
vi.resetModules();

/** Two files that read the disk run without a browser. */
const hasBrowser = typeof document !== 'undefined';
if (hasBrowser) installBrowserStandIns();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  if (!hasBrowser) return;
  cleanup();
  modals.closeAll();
  notifications.clean();
  notifications.cleanQueue();
  dayjs.locale('en');
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
  for (const { name } of [...document.documentElement.attributes]) {
    document.documentElement.removeAttribute(name);
  }
  document.head.replaceChildren();
  document.body.replaceChildren();
});
