/** Screens of rules of packs, by route. */
export const SCREENS = {
  rules: async () => (await import('./rule-list-page.tsx')).RuleListPage,
  newRule: async () => (await import('./editor/rule-editor-page.tsx')).NewRulePage,
  ruleEditor: async () => (await import('./editor/rule-editor-page.tsx')).EditRulePage,
  rule: async () => (await import('./rule-page.tsx')).RulePage,
};
