/** Screens of enrichment, by route. */
export const SCREENS = {
  enrichment: async () => (await import('./enrichment-page.tsx')).EnrichmentPage,
  enrichmentTable: async () => (await import('./table-page.tsx')).TablePage,
  geoEnrichment: async () => (await import('./geo-page.tsx')).GeoPage,
};
