/** The start page of analysts and engineers. */
export const SCREENS = {
  home: () => import('./home-page.tsx').then((file) => file.HomePage),
};
