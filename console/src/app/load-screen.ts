import { type ComponentType, createElement } from 'react';
import { SCREENS } from './screens.ts';

// Screens load when they are first asked for, before the page changes: a screen that cannot be loaded then leaves the
// present page, and what is typed in it, as it is.

const loaded = new Map<string, ComponentType>();
const shown = new Map<string, ComponentType>();

/** Loads the screen of a route, once. Rejects when the server does not have it any more, or does not answer. */
export async function loadScreen(routeId: string): Promise<void> {
  const load = SCREENS[routeId];
  if (!load || loaded.has(routeId)) return;
  loaded.set(routeId, await load());
}

/** The component of a route, one per route: it shows the screen that has been loaded. */
export function screenOf(routeId: string): ComponentType {
  const known = shown.get(routeId);
  if (known) return known;
  const made = () => {
    const Screen = loaded.get(routeId);
    return Screen ? createElement(Screen) : null;
  };
  shown.set(routeId, made);
  return made;
}
