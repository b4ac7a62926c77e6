/** Screens of signals, by route. */
export const SCREENS = {
  signals: async () => (await import('./signals-page.tsx')).SignalsPage,
};
