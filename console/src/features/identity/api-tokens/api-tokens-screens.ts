/** Tokens for programs. */
export const SCREENS = {
  tokens: () => import('./token-list-page.tsx').then((file) => file.TokenListPage),
};
