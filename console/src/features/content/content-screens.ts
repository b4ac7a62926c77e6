/** Screens of content, by route. */
export const SCREENS = {
  contentUpdates: async () => (await import('./content-updates-page.tsx')).ContentUpdatesPage,
};
