// What other parts use of identity: the choice of a place, the banner of maintenance.

export { chooseScope } from './sign-in/switch-scope.ts';
export { MaintenanceBanner } from './tenants/maintenance-banner.tsx';
