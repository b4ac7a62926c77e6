/** Screens of signing in, and of what can't be shown. */
export const SCREENS = {
  'S2-02': () => import('./sign-in-page.tsx').then((file) => file.SignInPage),
  'S2-03': () => import('./verify-otp-page.tsx').then((file) => file.VerifyOtpPage),
  'S2-05': () => import('./new-password-page.tsx').then((file) => file.NewPasswordPage),
  'S2-06': () => import('./forgot-password-page.tsx').then((file) => file.ForgotPasswordPage),
  'S2-07': () => import('./new-password-page.tsx').then((file) => file.NewPasswordPage),
  'S2-08': () => import('./not-found-page.tsx').then((file) => file.NotFoundPage),
  'S2-09': () => import('./server-error-page.tsx').then((file) => file.ServerErrorPage),
  'S2-10': () => import('./no-access-page.tsx').then((file) => file.NoAccessPage),
  'S2-56': () => import('./agreement-page.tsx').then((file) => file.AgreementPage),
  'S2-61': () => import('./settings-page.tsx').then((file) => file.SettingsPage),
  'S2-61-settings': () => import('./settings-page.tsx').then((file) => file.SettingsPage),
};
