import { globalSearch, platformSearch } from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { OrganizationAdministration } from '../identity/organizations/organization-administration.ts';
import { actorOf } from '../identity/tenants/tenant-administration-routes.ts';
import { createGlobalSearchService, type GlobalSearchDeps } from './global-search-service.ts';

/** The search of the command palette. */
export function globalSearchFeature(
  deps: GlobalSearchDeps & { readonly people: Pick<OrganizationAdministration, 'find'> },
): RoutedFeature {
  const service = createGlobalSearchService(deps);
  return {
    register: (app) => {
      bindEndpoint(app, globalSearch, ({ caller, clusterId, input }) =>
        service.find({ caller, clusterId, scopeId: input.scope_id, query: input.query }),
      );
      bindEndpoint(app, platformSearch, (call) => deps.people.find(actorOf(call), call.input.query));
    },
  };
}
