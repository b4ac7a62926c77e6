/** The built-in dashboard of a scope. */
export const SCREENS = {
  'S2-26': () => import('./overview-page.tsx').then((file) => file.OverviewPage),
};
