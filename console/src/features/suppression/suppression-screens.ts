/** The screen of suppression rules, by route. */
export const SCREENS = {
  signalSuppression: async () => (await import('./suppression-page.tsx')).SuppressionPage,
};
