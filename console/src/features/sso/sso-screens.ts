/** The page on which single sign-on ends. */
export const SCREENS = {
  'S2-04': () => import('./sso-token-page.tsx').then((file) => file.SsoTokenPage),
};
