import { everywhereCases, everywhereSignals } from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import { createEverywhereService, type EverywhereDeps } from './everywhere-service.ts';

/** Lists over every scope of the caller. */
export function everywhereFeature(deps: EverywhereDeps): RoutedFeature {
  const service = createEverywhereService(deps);
  return {
    register: (app) => {
      bindEndpoint(app, everywhereSignals, ({ caller, input }) => service.signals(caller, input));
      bindEndpoint(app, everywhereCases, ({ caller, input }) => service.cases(caller, input));
    },
  };
}
