import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../platform/log.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { BatchReport, BulkAnswer } from './ingest-batch.ts';
import type { IngestOutcome, IngestService } from './ingest-service.ts';
import { admittedSource, countBodyError, guardSenders } from './sender-gate.ts';
import type { BodyBudget } from './sender-limits.ts';
import {
  acceptBytes,
  bodyOf,
  headerOf,
  isGzipBody,
  reportDelivery,
  SENDER_ROUTE,
  targetOf,
  tokenOf,
} from './sender-request.ts';

// Elasticsearch's `_bulk` and the questions that Beats, Logstash, Vector and Fluent Bit ask before they send.

/** The version that senders are told; they refuse servers that are older than themselves. */
const ELASTIC_VERSION = '8.17.0';

const BUSY = 'the server is busy; try again later';

function refuse(reply: FastifyReply, status: number, type: string, reason: string): FastifyReply {
  if (status === 503) reply.header('retry-after', '5');
  if (status === 401) reply.header('www-authenticate', 'Basic realm="tyrian", ApiKey');
  const cause = { type, reason };
  return reply.code(status).send({ error: { root_cause: [cause], ...cause }, status });
}

function itemAnswer(item: BulkAnswer, at: number): Record<string, unknown> {
  const ids = { _index: item.index, _id: item.id ?? String(at) };
  if (item.refusal === null) {
    const shards = { total: 1, successful: 1, failed: 0 };
    return {
      [item.action]: {
        ...ids,
        _version: 1,
        result: 'created',
        _shards: shards,
        _seq_no: at,
        _primary_term: 1,
        status: 201,
      },
    };
  }
  const error = { type: 'illegal_argument_exception', reason: item.refusal };
  return { [item.action]: { ...ids, status: 400, error } };
}

function bulkAnswer(report: BatchReport, tookMs: number): Record<string, unknown> {
  const items = report.items ?? [];
  return {
    took: Math.round(tookMs),
    errors: items.some(({ refusal }) => refusal !== null),
    items: items.map(itemAnswer),
  };
}

function answerOutcome(reply: FastifyReply, outcome: IngestOutcome, tookMs: number): FastifyReply {
  switch (outcome.kind) {
    case 'stored':
      return reply.send(bulkAnswer(outcome.report, tookMs));
    case 'in-progress':
      return refuse(reply, 503, 'unavailable_exception', 'the same batch is being stored');
    case 'key-reused':
      return refuse(
        reply,
        400,
        'illegal_argument_exception',
        'this Idempotency-Key was used for another body',
      );
    case 'fault':
      return outcome.fault.fault === 'too-large'
        ? refuse(reply, 413, 'content_too_long_exception', outcome.fault.message)
        : refuse(reply, 400, 'parse_exception', outcome.fault.message);
  }
}

/** `GET /`: what the versions of clients check. */
const ABOUT = {
  name: 'tyrian',
  cluster_name: 'tyrian',
  cluster_uuid: 'tyrian',
  version: {
    number: ELASTIC_VERSION,
    build_flavor: 'default',
    build_type: 'tar',
    lucene_version: '9.12.0',
    minimum_wire_compatibility_version: '7.17.0',
    minimum_index_compatibility_version: '7.0.0',
  },
  tagline: 'You Know, for Search',
};

/** Questions with fixed answers. Templates and pipelines are taken for set up: events are normalised here. */
const PROBES: readonly (readonly [string, unknown])[] = [
  ['/_license', { license: { status: 'active', uid: 'tyrian', type: 'basic', mode: 'basic' } }],
  [
    '/_xpack',
    { build: {}, license: { uid: 'tyrian', type: 'basic', mode: 'basic', status: 'active' }, features: {} },
  ],
  ['/_cluster/health', { cluster_name: 'tyrian', status: 'green', timed_out: false, number_of_nodes: 1 }],
  ['/_nodes/http', { _nodes: { total: 1, successful: 1, failed: 0 }, nodes: {} }],
];

export interface BulkDeps {
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly log: Logger;
  readonly budget: BodyBudget;
}

async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  sources: SourceService,
): Promise<IngestSource | null> {
  const token = tokenOf(request);
  const source = token ? await sources.findByToken(token) : null;
  if (source !== null) return source;
  sources.refuse(token ? 'token-wrong' : 'token-missing', request.ip);
  refuse(reply, 401, 'security_exception', token ? 'unknown token' : 'a token is required');
  return null;
}

/** Binds `_bulk` and the probes in a context of their own. */
export async function registerBulk(app: FastifyInstance, deps: BulkDeps): Promise<void> {
  const { ingest, sources, log, budget } = deps;
  const bulk = async (request: FastifyRequest, reply: FastifyReply) => {
    const started = performance.now();
    const source = admittedSource(request);
    const isGzip = isGzipBody(request);
    const body = bodyOf(request);
    if (isGzip === undefined) return refuse(reply, 400, 'parse_exception', 'only gzip is understood');
    if (body.length === 0) return refuse(reply, 400, 'parse_exception', 'request body is required');
    const { index } = request.params as { index?: string };
    const key = headerOf(request, 'idempotency-key');
    try {
      const received = await ingest.receive(targetOf(request, source), {
        format: 'bulk',
        body,
        isGzip,
        hints: index === undefined ? {} : { index },
        ...(key ? { key } : {}),
      });
      reportDelivery(reply, received, log);
      return answerOutcome(reply, received.outcome, performance.now() - started);
    } catch (error) {
      sources.count(source.clusterId, source.sourceId, { refused_busy: 1 });
      log.warn({ err: (error as Error).message }, 'a batch of _bulk was not taken');
      return refuse(reply, 503, 'unavailable_exception', BUSY);
    }
  };

  await app.register(async (elastic) => {
    acceptBytes(elastic);
    guardSenders(
      elastic,
      {
        authenticate: (request, reply) => authenticate(request, reply, sources),
        refuseDisabled: (reply) =>
          refuse(reply, 403, 'security_exception', 'the scope of this token is disabled'),
        refuseBusy: (reply) => refuse(reply, 503, 'unavailable_exception', BUSY),
      },
      { sources, budget },
    );
    elastic.addHook('onSend', async (_request, reply) => {
      // Official clients refuse to talk to a server without this header.
      reply.header('x-elastic-product', 'Elasticsearch');
    });
    elastic.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
      const { status, isBusy } = countBodyError(error, request, sources);
      if (isBusy) return refuse(reply, 503, 'unavailable_exception', BUSY);
      if (status >= 500) log.error({ err: error }, '_bulk failed');
      return refuse(
        reply,
        status,
        status === 413 ? 'content_too_long_exception' : 'parse_exception',
        error.message,
      );
    });
    for (const method of ['POST', 'PUT'] as const) {
      elastic.route({ method, url: '/_bulk', ...SENDER_ROUTE, handler: bulk });
      elastic.route({ method, url: '/:index/_bulk', ...SENDER_ROUTE, handler: bulk });
    }
    const probe = (url: string, data: unknown) =>
      elastic.route({
        method: ['GET', 'HEAD'],
        url,
        ...SENDER_ROUTE,
        handler: async (_request, reply) => reply.send(data),
      });
    probe('/', ABOUT);
    for (const [url, data] of PROBES) probe(url, data);
    for (const url of [
      '/_index_template/:name',
      '/_component_template/:name',
      '/_template/:name',
      '/_ingest/pipeline/:name',
      '/_ilm/policy/:name',
      '/_data_stream/:name',
    ]) {
      probe(url, {});
      elastic.put(url, SENDER_ROUTE, async (_request, reply) => reply.send({ acknowledged: true }));
    }
  });
}
