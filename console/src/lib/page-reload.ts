import { flushStorage } from './storage.ts';

// After a change of role, cluster or scope the page is loaded anew, so that nothing of the old place stays in memory.

/** Goes to a hash path and reloads, unless the page is already there. */
export async function goAndReload(path: string): Promise<void> {
  await flushStorage();
  const there = window.location.hash === `#${path}`;
  window.location.hash = path;
  if (!there) window.location.reload();
}

/** Reloads where the page stands. */
export async function reloadPage(): Promise<void> {
  await flushStorage();
  window.location.reload();
}
