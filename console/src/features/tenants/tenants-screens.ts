/** Screens of tenants and of the fleet. */
export const SCREENS = {
  'S2-12': () => import('./fleet-page.tsx').then((file) => file.FleetPage),
  'S2-13': () => import('./cluster-page.tsx').then((file) => file.ClusterPage),
  'S2-23': () => import('./tenant-list-page.tsx').then((file) => file.TenantListPage),
  'S2-24': () => import('./cluster-page.tsx').then((file) => file.ClusterPage),
  'S2-25': () => import('./tenant-page.tsx').then((file) => file.TenantPage),
};
