// What other parts of the console may use of the administration of the platform.
export { GlobalButton } from './global-button.tsx';
export { MaintenanceBanner } from './maintenance-banner.tsx';
