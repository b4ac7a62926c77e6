/** Screens of tenants, of the fleet, of switches, and of a product type that is too small. */
export const SCREENS = {
  clusters: () => import('./fleet-page.tsx').then((file) => file.FleetPage),
  cluster: () => import('./cluster-page.tsx').then((file) => file.ClusterPage),
  tenants: () => import('./tenant-list-page.tsx').then((file) => file.TenantListPage),
  tenantConfiguration: () => import('./cluster-page.tsx').then((file) => file.ClusterPage),
  tenant: () => import('./tenant-page.tsx').then((file) => file.TenantPage),
  switchboard: () => import('./switchboard-page.tsx').then((file) => file.SwitchboardPage),
  upgrade: () => import('./upgrade-page.tsx').then((file) => file.UpgradePage),
};
