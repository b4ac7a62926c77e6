import type { Locale, StartPage } from '@tyrian/contract';
import { useSyncExternalStore } from 'react';
import { readStored, watchStored, writeStored } from './storage.ts';

// Theme and menu settings of this browser (specification, section 3): dark and magenta unless chosen otherwise.

export interface Settings {
  readonly theme: 'dark' | 'light';
  readonly primaryColor: 'magenta';
  readonly menuWidth: number;
  readonly menuCollapsed: boolean;
  readonly locale: Locale;
  /** IANA name, or `local` for the zone of this machine. */
  readonly timeZone: string;
  readonly density: 'compact' | 'normal' | 'comfortable';
  /** Where analysts and engineers land after sign-in. */
  readonly startPage: StartPage;
  /** Single-key shortcuts can be switched off. */
  readonly shortcuts: boolean;
}

const DEFAULT_SETTINGS: Settings = {
  theme: 'dark',
  primaryColor: 'magenta',
  menuWidth: 256,
  menuCollapsed: false,
  locale: 'en-US',
  timeZone: 'local',
  density: 'normal',
  startPage: 'home',
  shortcuts: true,
};

let current: Settings = DEFAULT_SETTINGS;
let source: unknown;

/** The settings now. */
export function readSettings(): Settings {
  const stored = readStored<Partial<Settings>>('settings');
  if (stored !== source) {
    source = stored;
    current = { ...DEFAULT_SETTINGS, ...stored };
  }
  return current;
}

export function changeSettings(change: Partial<Settings>): void {
  writeStored('settings', { ...readSettings(), ...change });
}

/** The settings; the component renders again when they change. */
export function useSettings(): Settings {
  return useSyncExternalStore(watchStored, readSettings);
}
