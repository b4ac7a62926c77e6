/** Screens of tenants and of the fleet. */
export const SCREENS = {
  clusters: () => import('./fleet-page.tsx').then((file) => file.FleetPage),
  cluster: () => import('./cluster-page.tsx').then((file) => file.ClusterPage),
  tenants: () => import('./tenant-list-page.tsx').then((file) => file.TenantListPage),
  tenantConfiguration: () => import('./cluster-page.tsx').then((file) => file.ClusterPage),
  tenant: () => import('./tenant-page.tsx').then((file) => file.TenantPage),
};
