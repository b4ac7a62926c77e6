/** The screen of signals and cases of all tenants at once. */
export const SCREENS = {
  global: () => import('./global-page.tsx').then((file) => file.GlobalPage),
};
