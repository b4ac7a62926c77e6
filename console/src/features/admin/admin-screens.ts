/** Screens of the platform: mail, switches, and what stands in all places at once. */
export const SCREENS = {
  global: () => import('./global-page.tsx').then((file) => file.GlobalPage),
  smtp: () => import('./smtp-page.tsx').then((file) => file.SmtpPage),
  switchboard: () => import('./switchboard-page.tsx').then((file) => file.SwitchboardPage),
};
