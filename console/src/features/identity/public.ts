// What other parts use of identity: the choice of a place, the banner of maintenance, what of a plan is used.

export { chooseScope } from './sign-in/switch-scope.ts';
export { MaintenanceBanner } from './tenants/maintenance-banner.tsx';
export { PlanUsageTable } from './tenants/plan-usage-table.tsx';
