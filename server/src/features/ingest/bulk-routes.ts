import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../platform/log.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';
import { registerElasticProbes } from './elastic-probes.ts';
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

// Elasticsearch's `_bulk`, and single documents (`client.index()`); elastic-probes.ts has what senders ask before.

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

/** The answer to one document. An id of ours is not the id of an event: events are found by what they say. */
function documentAnswer(index: string, id: string | undefined): Record<string, unknown> {
  return {
    ...{ _index: index, _id: id ?? randomUUID(), _version: 1, result: 'created' },
    ...{ _shards: { total: 1, successful: 1, failed: 0 }, _seq_no: 0, _primary_term: 1 },
  };
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
  const take = async (request: FastifyRequest, reply: FastifyReply, format: 'bulk' | 'document') => {
    const started = performance.now();
    const source = admittedSource(request);
    const isGzip = isGzipBody(request);
    const body = bodyOf(request);
    if (isGzip === undefined) return refuse(reply, 400, 'parse_exception', 'only gzip is understood');
    if (body.length === 0) return refuse(reply, 400, 'parse_exception', 'request body is required');
    const { index, id } = request.params as { index?: string; id?: string };
    const key = headerOf(request, 'idempotency-key');
    try {
      const received = await ingest.receive(targetOf(request, source), {
        format,
        body,
        isGzip,
        hints: index === undefined ? {} : { index },
        ...(key ? { key } : {}),
      });
      reportDelivery(reply, received, log);
      const { outcome } = received;
      if (format === 'document' && outcome.kind === 'stored')
        return reply.code(201).send(documentAnswer(index ?? '', id));
      return answerOutcome(reply, outcome, performance.now() - started);
    } catch (error) {
      sources.count(source.clusterId, source.sourceId, { refused_busy: 1 });
      log.warn({ err: (error as Error).message }, 'a batch of _bulk was not taken');
      return refuse(reply, 503, 'unavailable_exception', BUSY);
    }
  };

  const bulk = (request: FastifyRequest, reply: FastifyReply) => take(request, reply, 'bulk');
  const document = (request: FastifyRequest, reply: FastifyReply) => take(request, reply, 'document');

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
      for (const url of ['/:index/_doc/:id', '/:index/_create/:id'])
        elastic.route({ method, url, ...SENDER_ROUTE, handler: document });
    }
    elastic.post('/:index/_doc', SENDER_ROUTE, document);
    registerElasticProbes(elastic);
  });
}
