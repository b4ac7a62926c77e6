/** The page on which single sign-on ends. */
export const SCREENS = {
  singleSignOn: () => import('./sso-token-page.tsx').then((file) => file.SsoTokenPage),
};
