/** Screens of cases. */
export const SCREENS = {
  'S2-34': () => import('./case-list-page.tsx').then((file) => file.CaseListPage),
  'S2-35': () => import('./case-page.tsx').then((file) => file.CasePage),
};
