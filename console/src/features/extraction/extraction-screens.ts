/** Screens of extraction, by route. */
export const SCREENS = {
  extraction: async () => (await import('./extraction-page.tsx')).ExtractionPage,
  extractionRule: async () => (await import('./editor/extractor-page.tsx')).ExtractorPage,
};
