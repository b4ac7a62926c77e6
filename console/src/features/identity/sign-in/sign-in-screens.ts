/** Screens of signing in, and of what can't be shown. */
export const SCREENS = {
  signIn: () => import('./sign-in-page.tsx').then((file) => file.SignInPage),
  secondFactor: () => import('./verify-otp-page.tsx').then((file) => file.VerifyOtpPage),
  resetPassword: () => import('./new-password-page.tsx').then((file) => file.NewPasswordPage),
  forgotPassword: () => import('./forgot-password-page.tsx').then((file) => file.ForgotPasswordPage),
  setPassword: () => import('./new-password-page.tsx').then((file) => file.NewPasswordPage),
  notFound: () => import('./not-found-page.tsx').then((file) => file.NotFoundPage),
  serverError: () => import('./server-error-page.tsx').then((file) => file.ServerErrorPage),
  noAccess: () => import('./no-access-page.tsx').then((file) => file.NoAccessPage),
  agreements: () => import('./agreement-page.tsx').then((file) => file.AgreementPage),
  changePassword: () => import('./settings-page.tsx').then((file) => file.SettingsPage),
  settings: () => import('./settings-page.tsx').then((file) => file.SettingsPage),
};
