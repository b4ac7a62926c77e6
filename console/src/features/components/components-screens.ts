/** Screens of components. */
export const SCREENS = {
  'S2-14': () => import('./component-list-page.tsx').then((file) => file.ComponentListPage),
};
