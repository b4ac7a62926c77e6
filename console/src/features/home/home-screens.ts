/** The start page of analysts and engineers. */
export const SCREENS = {
  'S2-55': () => import('./home-page.tsx').then((file) => file.HomePage),
};
