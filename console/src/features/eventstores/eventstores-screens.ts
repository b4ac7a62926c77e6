/** The screen of uploaded tables, by route. */
export const SCREENS = {
  eventStores: async () => (await import('./eventstores-page.tsx')).EventstoresPage,
};
