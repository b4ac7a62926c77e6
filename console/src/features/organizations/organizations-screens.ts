/** Screens of organizations. */
export const SCREENS = {
  'S2-21': () => import('./organization-list-page.tsx').then((file) => file.OrganizationListPage),
  'S2-22': () => import('./organization-page.tsx').then((file) => file.OrganizationPage),
};
