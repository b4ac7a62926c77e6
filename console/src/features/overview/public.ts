// What other features may use of the overview.
export { useOverview } from './use-overview.ts';
export { useOverviewLinks } from './use-overview-links.ts';
