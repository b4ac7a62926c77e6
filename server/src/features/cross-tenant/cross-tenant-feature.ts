import { crossTenantCases, crossTenantSignals } from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import { type CrossTenantDeps, createCrossTenantService } from './cross-tenant-service.ts';

/** Lists over every scope of the caller. */
export function crossTenantFeature(deps: CrossTenantDeps): RoutedFeature {
  const service = createCrossTenantService(deps);
  return {
    register: (app) => {
      bindEndpoint(app, crossTenantSignals, ({ caller, input }) => service.signals(caller, input));
      bindEndpoint(app, crossTenantCases, ({ caller, input }) => service.cases(caller, input));
    },
  };
}
