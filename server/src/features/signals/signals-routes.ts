import {
  createSignalTag,
  listSignals,
  listSignalTags,
  signalCaseList,
  signalData,
  signalEventsQuery,
  signalFacetsResult,
  signalFacetsTask,
  signalGraphData,
  signalIds,
  signalInfo,
  signalKnowledge,
  signalTimeslices,
  tagFalsePositive,
  tagSignals,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { SignalsService } from './signals-service.ts';

/** Binds the calls about signals. */
export function signalRoutes(app: FastifyInstance, signals: SignalsService): void {
  bindEndpoint(app, listSignals, (call) => signals.list(call, call.input, call.input));
  bindEndpoint(app, signalIds, (call) => signals.ids(call, call.input, call.input));
  bindEndpoint(app, signalTimeslices, (call) => signals.timeslices(call, call.input, call.input.interval));
  bindEndpoint(app, signalInfo, (call) => signals.info(call, call.input.scope_id, call.input.signal_id));
  bindEndpoint(app, signalData, (call) =>
    signals.data(call, call.input.scope_id, call.input.signal_id, call.input),
  );
  bindEndpoint(app, signalEventsQuery, (call) =>
    signals.eventsQuery(call, call.input.scope_id, call.input.signal_id),
  );
  bindEndpoint(app, signalKnowledge, (call) => signals.knowledge(call, call.input.scope_id, call.input));
  bindEndpoint(app, signalCaseList, (call) => signals.cases(call, call.input.scope_id, call.input.signal_id));
  bindEndpoint(app, signalFacetsTask, (call) => signals.askFacets(call, call.input));
  bindEndpoint(app, signalFacetsResult, (call) =>
    signals.facets(call, call.input.scope_id, call.input.task_id),
  );
  bindEndpoint(app, signalGraphData, (call) => signals.graph(call, call.input, call.input.signal_ids));
  bindEndpoint(app, tagFalsePositive, (call) => signals.falsePositive(call, call.input));
  bindEndpoint(app, tagSignals, (call) => signals.tag(call, call.input));
  bindEndpoint(app, listSignalTags, (call) => signals.tags(call, call.input.scope_id));
  bindEndpoint(app, createSignalTag, (call) =>
    signals.createTag(call, call.input.scope_id, call.input.tag, call.input.colour),
  );
}
