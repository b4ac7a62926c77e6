/** Screens of Find, by route. */
export const SCREENS = {
  'S2-83': async () => (await import('./search-page.tsx')).SearchPage,
};
