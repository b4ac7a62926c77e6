/** The built-in dashboard of a scope. */
export const SCREENS = {
  dashboards: () => import('./overview-page.tsx').then((file) => file.OverviewPage),
};
