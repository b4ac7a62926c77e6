/** Tokens for programs. */
export const SCREENS = {
  'S2-51': () => import('./token-list-page.tsx').then((file) => file.TokenListPage),
};
