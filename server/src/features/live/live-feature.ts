import { liveNews } from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import { createLiveService } from './live-service.ts';

/** From one address, of which a whole operations centre may come; counted by itself, apart from all other calls. */
const PER_MINUTE = 12_000;

/** What tells an open console that there is something new. */
export function liveFeature(deps: Parameters<typeof createLiveService>[0]): RoutedFeature {
  const service = createLiveService(deps);
  return {
    register: (app) =>
      bindEndpoint(app, liveNews, ({ caller, input }) => service.news(caller, input), {
        perMinute: PER_MINUTE,
      }),
  };
}
