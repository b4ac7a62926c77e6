import { Readable } from 'node:stream';
import { liveNews, liveStream } from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Authorizer } from '../../platform/http/caller.ts';
import type { Logger } from '../../platform/log.ts';
import { createLiveService } from './live-service.ts';
import { liveEvents } from './live-stream.ts';
import { createStreamSlots } from './stream-slots.ts';

/** From one address, of which a whole operations centre may come; counted by itself, apart from all other calls. */
const PER_MINUTE = 12_000;

type LiveDeps = Parameters<typeof createLiveService>[0] & {
  readonly authorizer: Authorizer;
  readonly log: Logger;
};

/** What tells an open console that there is something new. */
export function liveFeature(deps: LiveDeps): RoutedFeature {
  const { authorizer } = deps;
  const { news } = createLiveService(deps);
  return {
    register: (app) => {
      const slots = createStreamSlots(deps);
      const stopping = new AbortController();
      app.addHook('preClose', async () => {
        stopping.abort();
        await slots.stop();
      });
      bindEndpoint(app, liveNews, ({ caller, input }) => news(caller, input), { perMinute: PER_MINUTE });
      bindEndpoint(
        app,
        liveStream,
        async ({ caller, input, reply, request, signal }) => {
          // A browser that opens the stream again names the last id that it heard.
          const last = request.headers['last-event-id'];
          const since =
            input.since ?? (typeof last === 'string' && /^\d{1,19}$/.test(last) ? last : undefined);
          const slot = await slots.acquire(caller.userId, input.clusterId);
          const gone = AbortSignal.any([signal, stopping.signal]);
          // Also when nobody ever reads what is sent.
          gone.addEventListener('abort', () => slot.release(), { once: true });
          const events = liveEvents({ authorizer, news }, caller.ssid, { ...input, since }, slot, gone);
          return reply
            .header('content-type', 'text/event-stream; charset=utf-8')
            .header('cache-control', 'no-store')
            .header('x-accel-buffering', 'no')
            .send(Readable.from(events));
        },
        { perMinute: PER_MINUTE },
      );
    },
  };
}
