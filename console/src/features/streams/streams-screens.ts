/** Screens of streams and of their volume, by route. */
export const SCREENS = {
  streams: async () => (await import('./streams-page.tsx')).StreamsPage,
  utilization: async () => (await import('./utilization-page.tsx')).UtilizationPage,
};
