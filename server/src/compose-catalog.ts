import { type CatalogLibrary, createCatalogLibrary } from './features/data-model/catalog-library.ts';
import { isFreeName } from './features/data-model/free-name.ts';
import { eventstoresFeature } from './features/eventstores/eventstores-feature.ts';
import { uploadedTablesOf } from './features/eventstores/tables-of-tenant.ts';
import type { AuditService } from './features/identity/audit/audit-service.ts';
import type { QueryFunctions } from './features/search/compile-with-fields.ts';
import type { QueryService } from './features/search/query-service.ts';
import type { RoutedFeature } from './platform/feature.ts';
import type { AnyJob } from './platform/jobs/job.ts';
import type { Platform } from './platform/platform.ts';

// Wires what tenants add to their catalogs: a part of compose.ts.

/** What the queries of tenants may name beside what every tenant has. */
export const tenantCatalog = ({ postgres, clock }: Platform): CatalogLibrary =>
  createCatalogLibrary({
    clock,
    addedOf: async () => ({ streams: [], fields: [] }),
    tablesOf: (clusterId) => uploadedTablesOf(postgres, clusterId),
  });

/** The features through which people add to them. */
export function catalogFeatures(deps: {
  readonly platform: Platform;
  readonly audit: AuditService;
  readonly queries: QueryService;
  readonly functions: QueryFunctions;
  readonly catalog: CatalogLibrary;
}): { readonly features: readonly RoutedFeature[]; readonly jobs: readonly AnyJob[] } {
  const { platform, audit, queries, functions, catalog } = deps;
  const eventstores = eventstoresFeature({
    ...{ platform, audit },
    isFreeName: (scope, name, userId) => isFreeName({ queries, functions }, scope, name, userId),
    namedBy: async () => new Map(),
    changed: catalog.forget,
  });
  return { features: [eventstores], jobs: eventstores.jobs };
}
