const list = () => import('./component-list-page.tsx').then((file) => file.ComponentListPage);
const health = () => import('./component-health-page.tsx').then((file) => file.ComponentHealthPage);
const configure = () => import('./component-configure-page.tsx').then((file) => file.ComponentConfigurePage);

/** Screens of components: of the platform for root, of a tenant for its administrator. */
export const SCREENS = {
  'S2-14': list,
  'S2-15': health,
  'S2-16': configure,
  'S2-48': list,
  'S2-48-health': health,
  'S2-48-configure': configure,
};
