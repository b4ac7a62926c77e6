/** Screens of sources, by route. */
export const SCREENS = {
  collectionStatus: async () => (await import('./collection-page.tsx')).CollectionPage,
};
