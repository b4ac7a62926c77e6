/** Screens of Find, by route. */
export const SCREENS = {
  find: async () => (await import('./search-page.tsx')).SearchPage,
  slowQueries: async () => (await import('./slow-queries-page.tsx')).SlowQueriesPage,
};
