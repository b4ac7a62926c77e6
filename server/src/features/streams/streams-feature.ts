import {
  checkStreamImpact,
  listDropRules,
  listStreams,
  readUtilization,
  removeDropRule,
  saveDropRule,
  saveSubscription,
  streamAnalytics,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Platform } from '../../platform/platform.ts';
import { sourceNames, volumesByDay } from '../sources/source-volumes.ts';
import { createStreamService, type StreamDeps, type StreamService } from './stream-service.ts';
import { createUtilizationService, type UtilizationService } from './utilization-service.ts';

interface StreamsFeature extends RoutedFeature {
  /** What is taken along as files. */
  readonly lists: { readonly streams: StreamService; readonly usage: UtilizationService };
}

/** Streams of scopes and the volume of tenants. */
export function streamsFeature(
  deps: { readonly platform: Platform } & Pick<
    StreamDeps,
    'audit' | 'knownRules' | 'runs' | 'definitions' | 'retention' | 'streamNames'
  >,
): StreamsFeature {
  const { platform, ...others } = deps;
  const { postgres, clock, eventStore: events } = platform;
  const streams = createStreamService({
    ...{ postgres, clock, events, ...others },
    sourceNames: (scope) => sourceNames(postgres, scope),
  });
  const utilization = createUtilizationService({
    ...{ postgres, clock, events, audit: deps.audit },
    volumesOf: (clusterId, range) => volumesByDay(postgres, clusterId, range),
  });
  return {
    lists: { streams, usage: utilization },
    register: (app) => {
      streamRoutes(app, streams);
      dropRoutes(app, streams);
      utilizationRoutes(app, utilization);
    },
  };
}

const scopeOf = (clusterId: string, input: { readonly scope_id: string }) => ({
  clusterId,
  scopeId: input.scope_id,
});

function streamRoutes(app: FastifyInstance, streams: StreamService): void {
  bindEndpoint(app, listStreams, ({ clusterId, input }) =>
    streams.list(scopeOf(clusterId, input), input.search_type),
  );
  bindEndpoint(app, streamAnalytics, ({ clusterId, input }) =>
    streams.analytics(scopeOf(clusterId, input), input.stream, input.days),
  );
  bindEndpoint(app, checkStreamImpact, ({ clusterId, input }) =>
    streams.impact(scopeOf(clusterId, input), input.change),
  );
}

function dropRoutes(app: FastifyInstance, streams: StreamService): void {
  bindEndpoint(app, listDropRules, ({ clusterId, input }) => streams.dropRules(scopeOf(clusterId, input)));
  bindEndpoint(app, saveDropRule, ({ caller, clusterId, input, request }) =>
    streams.drop(scopeOf(clusterId, input), input, { caller, address: request.ip }),
  );
  bindEndpoint(app, removeDropRule, async ({ caller, clusterId, input, request }) => {
    await streams.storeAgain(scopeOf(clusterId, input), input.rule_id, { caller, address: request.ip });
    return { rule_id: input.rule_id };
  });
}

function utilizationRoutes(app: FastifyInstance, utilization: UtilizationService): void {
  bindEndpoint(app, readUtilization, ({ clusterId, input }) => utilization.read(clusterId, input.month));
  bindEndpoint(app, saveSubscription, async ({ caller, clusterId, input, request }) => {
    await utilization.subscribe(clusterId, input.subscribed_bytes, { caller, address: request.ip });
    return {};
  });
}
