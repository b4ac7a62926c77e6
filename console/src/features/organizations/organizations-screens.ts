/** Screens of organizations. */
export const SCREENS = {
  'S2-21': () => import('./organization-list-page.tsx').then((file) => file.OrganizationListPage),
};
