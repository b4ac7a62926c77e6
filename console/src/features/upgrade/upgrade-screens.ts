/** The screen of a product type that is too small. */
export const SCREENS = {
  'S2-60': () => import('./upgrade-page.tsx').then((file) => file.UpgradePage),
};
