import { ROUTES } from '@tyrian/contract';
import type { ComponentType } from 'react';

// Which component shows which route. Each feature has one small file `<feature>-screens.ts` that exports SCREENS,
// from the name of a route to a lazy component; adding or deleting a feature touches nothing here.

type Screen = () => Promise<ComponentType>;
export type ScreenTable = Readonly<Record<string, Screen>>;

const FEATURES = import.meta.glob<ScreenTable>('../features/**/*-screens.ts', {
  eager: true,
  import: 'SCREENS',
});

/** Screens that two features make up. */
const COMPOSED: ScreenTable = {
  case: () => import('./case-screen.tsx').then((file) => file.CaseScreen),
};

/** Every screen that exists, by the name of the route. */
export const SCREENS: ScreenTable = collectScreens([...Object.values(FEATURES), COMPOSED]);

/** One table out of many; refuses two screens for a route and screens for no route. */
function collectScreens(tables: readonly ScreenTable[]): ScreenTable {
  const known = new Set<string>(ROUTES.map((route) => route.name));
  const all: Record<string, Screen> = {};
  for (const [id, screen] of tables.flatMap((table) => Object.entries(table))) {
    if (!known.has(id)) throw new Error(`screen for an unknown route ${id}`);
    if (all[id]) throw new Error(`two screens for route ${id}`);
    all[id] = screen;
  }
  return all;
}
