const list = () => import('./component-list-page.tsx').then((file) => file.ComponentListPage);
const health = () => import('./component-health-page.tsx').then((file) => file.ComponentHealthPage);
const configure = () => import('./component-configure-page.tsx').then((file) => file.ComponentConfigurePage);

/** Screens of components: of the platform for root, of a tenant for its administrator. */
export const SCREENS = {
  components: list,
  componentHealth: health,
  componentConfiguration: configure,
  tenantComponents: list,
  tenantComponentHealth: health,
  tenantComponentConfiguration: configure,
};
