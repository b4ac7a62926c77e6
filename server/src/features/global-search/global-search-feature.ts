import { globalSearch } from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import { createGlobalSearchService, type GlobalSearchDeps } from './global-search-service.ts';

/** The search of the command palette. */
export function globalSearchFeature(deps: GlobalSearchDeps): RoutedFeature {
  const service = createGlobalSearchService(deps);
  return {
    register: (app) =>
      bindEndpoint(app, globalSearch, ({ caller, clusterId, input }) =>
        service.find({ caller, clusterId, scopeId: input.scope_id, query: input.query }),
      ),
  };
}
