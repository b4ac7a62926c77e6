/** Screens of users. */
export const SCREENS = {
  user: () => import('./user-page.tsx').then((file) => file.UserPage),
};
