/** Screens of cases; `case` shows signals too, so console/src/app composes it. */
export const SCREENS = {
  cases: () => import('./case-list-page.tsx').then((file) => file.CaseListPage),
};
