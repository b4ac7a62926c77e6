/** Screens of Find, by route. */
export const SCREENS = {
  find: async () => (await import('./search-page.tsx')).SearchPage,
};
