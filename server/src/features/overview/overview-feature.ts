import type { RoutedFeature } from '../../platform/feature.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { QueryService } from '../search/query-service.ts';
import { registerOverviewRoutes } from './overview-routes.ts';
import { createOverviewService } from './overview-service.ts';

/** The overview of a scope, for everybody with a role in it. */
export function overviewFeature(queries: QueryService, audit: AuditService): RoutedFeature {
  const overview = createOverviewService(queries);
  return { register: (app) => registerOverviewRoutes(app, overview, audit) };
}
