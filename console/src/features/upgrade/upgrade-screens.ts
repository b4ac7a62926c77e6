/** The screen of a product type that is too small. */
export const SCREENS = {
  upgrade: () => import('./upgrade-page.tsx').then((file) => file.UpgradePage),
};
