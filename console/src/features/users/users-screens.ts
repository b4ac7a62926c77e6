/** Screens of users. */
export const SCREENS = {
  'S2-20': () => import('./user-page.tsx').then((file) => file.UserPage),
};
