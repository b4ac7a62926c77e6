// What other features use of single sign-on: its settings, on the page of an organization.
export { SsoSettings } from './sso-settings.tsx';
