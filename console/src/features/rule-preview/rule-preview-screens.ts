/** Screens of previews of rules and retro-hunts, by route. */
export const SCREENS = {
  rulePreviews: async () => (await import('./preview-list-page.tsx')).PreviewListPage,
  rulePreview: async () => (await import('./preview-page.tsx')).PreviewPage,
};
