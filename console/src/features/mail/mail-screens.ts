/** The screen of the mail server. */
export const SCREENS = {
  smtp: () => import('./smtp-page.tsx').then((file) => file.SmtpPage),
};
