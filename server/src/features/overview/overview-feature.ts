import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { RoutedFeature } from '../../platform/feature.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { registerOverviewRoutes } from './overview-routes.ts';
import { createOverviewService } from './overview-service.ts';

/** The overview of a scope, for everybody with a role in it. */
export function overviewFeature(eventStore: EventStore, audit: AuditService): RoutedFeature {
  const overview = createOverviewService(eventStore);
  return { register: (app) => registerOverviewRoutes(app, overview, audit) };
}
