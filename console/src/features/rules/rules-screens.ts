/** Screens of rules of packs, by route. */
export const SCREENS = {
  rules: async () => (await import('./rule-list-page.tsx')).RuleListPage,
  rule: async () => (await import('./rule-page.tsx')).RulePage,
};
