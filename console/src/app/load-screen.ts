import { type ComponentType, createElement } from 'react';
import { SCREENS } from './screens.ts';

// Screens load when they are first asked for, before the page changes: a screen that cannot be loaded then leaves the
// present page, and what is typed in it, as it is.

const loaded = new Map<string, ComponentType>();
const shown = new Map<string, ComponentType>();

/** Loads the screen of a route, once. Rejects when the server does not have it any more, or does not answer. */
export async function loadScreen(routeName: string): Promise<void> {
  const load = SCREENS[routeName];
  if (!load || loaded.has(routeName)) return;
  loaded.set(routeName, await load());
}

/** The component of a route, one per route: it shows the screen that has been loaded. */
export function screenOf(routeName: string): ComponentType {
  const known = shown.get(routeName);
  if (known) return known;
  const made = () => {
    const Screen = loaded.get(routeName);
    return Screen ? createElement(Screen) : null;
  };
  shown.set(routeName, made);
  return made;
}
