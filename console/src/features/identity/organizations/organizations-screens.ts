/** Screens of organizations. */
export const SCREENS = {
  organizations: () => import('./organization-list-page.tsx').then((file) => file.OrganizationListPage),
  organization: () => import('./organization-page.tsx').then((file) => file.OrganizationPage),
};
