import { type MenuEntry, menuFor, routeByName } from '@tyrian/contract';
import { mayGoGlobal } from '../lib/landing.ts';
import type { Session } from '../lib/session-store.ts';

// The pages that menu and palette offer: the table of the specification, and for those who work in several places the
// lists over all of them, which the table does not name.

const GLOBAL = routeByName('global');

const globalEntry = (option: 'signals' | 'cases', name: string): MenuEntry => ({
  name,
  group: 'main',
  route: { ...GLOBAL, path: GLOBAL.path.replace(':option', option) },
  tags: GLOBAL.tags === 'everyone' ? [] : GLOBAL.tags,
});

const GLOBAL_ENTRIES: readonly MenuEntry[] = [
  globalEntry('signals', 'globalSignals'),
  globalEntry('cases', 'globalCases'),
];

/** The entries that a session sees, in order; before there is a tenant, those that need none. */
export function menuPages(session: Session): readonly MenuEntry[] {
  const hasPlace = session.user.clusterId !== null;
  const entries = menuFor(session.tags).filter(({ route }) => hasPlace || route.prefix === 'none');
  if (!mayGoGlobal(session)) return entries;
  const main = entries.filter((entry) => entry.group === 'main');
  return [...main, ...GLOBAL_ENTRIES, ...entries.filter((entry) => entry.group !== 'main')];
}
