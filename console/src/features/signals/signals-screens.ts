/** Screens of signals, by route. */
export const SCREENS = {
  'S2-33': async () => (await import('./signals-page.tsx')).SignalsPage,
};
