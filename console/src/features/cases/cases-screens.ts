/** Screens of cases. */
export const SCREENS = {
  cases: () => import('./case-list-page.tsx').then((file) => file.CaseListPage),
  case: () => import('./case-page.tsx').then((file) => file.CasePage),
};
