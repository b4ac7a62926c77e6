// What other parts use of identity: the choice of a place, the banner of maintenance.

export { choosePlace } from './sign-in/switch-place.ts';
export { MaintenanceBanner } from './tenants/maintenance-banner.tsx';
