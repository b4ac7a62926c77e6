/** Screens of tenants. */
export const SCREENS = {
  'S2-23': () => import('./tenant-list-page.tsx').then((file) => file.TenantListPage),
};
