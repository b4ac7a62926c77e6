// What other parts of the console may use of the administration of the platform.
export { MaintenanceBanner } from './maintenance-banner.tsx';
