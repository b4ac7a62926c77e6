/** The screen of ATT&CK, by route. */
export const SCREENS = {
  mitreAttack: async () => (await import('./attack-page.tsx')).AttackPage,
};
