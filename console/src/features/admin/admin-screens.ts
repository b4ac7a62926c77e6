/** Screens of the platform: mail, switches, and what stands in all places at once. */
export const SCREENS = {
  'S2-17': () => import('./global-page.tsx').then((file) => file.GlobalPage),
  'S2-18': () => import('./smtp-page.tsx').then((file) => file.SmtpPage),
  'S2-19': () => import('./switchboard-page.tsx').then((file) => file.SwitchboardPage),
};
