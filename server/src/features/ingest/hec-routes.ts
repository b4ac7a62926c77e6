import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import type { Logger } from '../../platform/log.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';
import { type HecAcks, isChannel } from './hec-acks.ts';
import type { BatchHints, BatchReport, RefusalReason } from './ingest-batch.ts';
import type { IngestOutcome, IngestService } from './ingest-service.ts';
import { admittedSource, countBodyError, guardSenders } from './sender-gate.ts';
import type { BodyBudget } from './sender-limits.ts';
import {
  acceptBytes,
  bodyOf,
  headerOf,
  isGzipBody,
  queryOf,
  reportDelivery,
  SENDER_ROUTE,
  targetOf,
  tokenOf,
} from './sender-request.ts';

// Splunk's HTTP event collector, with its own paths, codes and words, so that its senders need no change.

/** Questions for acknowledgements are short. */
const ACK_ROUTE = { ...SENDER_ROUTE, bodyLimit: 1024 * 1024 };

/** HEC's replies: HTTP status, code, text. */
const REPLIES = {
  success: [200, 0, 'Success'],
  tokenRequired: [401, 2, 'Token is required'],
  invalidAuthorization: [401, 3, 'Invalid authorization'],
  tokenDisabled: [403, 1, 'Token disabled'],
  invalidToken: [403, 4, 'Invalid token'],
  wrongToken: [400, 4, 'Invalid token'],
  noData: [400, 5, 'No data'],
  invalidFormat: [400, 6, 'Invalid data format'],
  internal: [500, 8, 'Internal server error'],
  busy: [503, 9, 'Server is busy'],
  eventRequired: [400, 12, 'Event field is required'],
  eventBlank: [400, 13, 'Event field cannot be blank'],
  channelMissing: [400, 10, 'Data channel is missing'],
  channelInvalid: [400, 11, 'Invalid data channel'],
  healthy: [200, 17, 'HEC is healthy'],
  unhealthy: [503, 18, 'HEC is unhealthy, queues are full'],
} as const satisfies Record<string, readonly [number, number, string]>;

type ReplyName = keyof typeof REPLIES;

function answer(reply: FastifyReply, name: ReplyName, more: Record<string, unknown> = {}): FastifyReply {
  const [http, code, text] = REPLIES[name];
  if (http === 503) reply.header('retry-after', '5');
  return reply
    .code(http)
    .type('application/json')
    .send({ text, code, ...more });
}

const REFUSALS: Readonly<Partial<Record<RefusalReason, ReplyName>>> = {
  'event-missing': 'eventRequired',
  'event-blank': 'eventBlank',
};

function answerReport(reply: FastifyReply, report: BatchReport, more: Record<string, unknown>): FastifyReply {
  const { firstRefusal, counts } = report;
  if ((counts.received ?? 0) === 0) return answer(reply, 'noData');
  if (firstRefusal === undefined) return answer(reply, 'success', more);
  return answer(reply, REFUSALS[firstRefusal.reason] ?? 'invalidFormat', {
    'invalid-event-number': firstRefusal.index,
  });
}

function answerOutcome(
  reply: FastifyReply,
  outcome: IngestOutcome,
  more: Record<string, unknown>,
): FastifyReply {
  switch (outcome.kind) {
    case 'stored':
      return answerReport(reply, outcome.report, more);
    case 'in-progress':
      return answer(reply, 'busy');
    case 'key-reused':
      return answer(reply, 'invalidFormat', { detail: 'this Idempotency-Key was used for another body' });
    case 'fault':
      return outcome.fault.fault === 'too-large'
        ? reply.code(413).send({ text: 'Content too large', code: 27, detail: outcome.fault.message })
        : answer(reply, 'invalidFormat', { detail: outcome.fault.message });
  }
}

export interface HecDeps {
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly log: Logger;
  readonly budget: BodyBudget;
  /** Why nothing can be taken right now; null when it can. */
  readonly whyClosed: () => string | null;
  readonly acks: HecAcks;
}

async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  sources: SourceService,
): Promise<IngestSource | 'open' | null> {
  if (request.routeOptions.url?.startsWith('/services/collector/health')) return 'open';
  const token = tokenOf(request) ?? queryOf(request, 'token');
  if (token === undefined || token === null) {
    sources.refuse('token-missing', request.ip);
    const isMissing = request.headers.authorization === undefined;
    answer(reply, isMissing ? 'tokenRequired' : 'invalidAuthorization');
    return null;
  }
  const source = await sources.findByToken(token);
  if (source !== null) return source;
  sources.refuse('token-wrong', request.ip);
  answer(reply, 'invalidToken');
  return null;
}

function channelOf(request: FastifyRequest): string | undefined {
  return headerOf(request, 'x-splunk-request-channel') ?? queryOf(request, 'channel');
}

/** Which of the ids that a sender names are acknowledged. */
function answerAcks(request: FastifyRequest, reply: FastifyReply, acks: HecAcks): FastifyReply {
  const channel = channelOf(request);
  if (channel === undefined) return answer(reply, 'channelMissing');
  if (!isChannel(channel)) return answer(reply, 'channelInvalid');
  const known = acks.ask(admittedSource(request).sourceId, channel, bodyOf(request).toString('utf8'));
  if (known === undefined) return answer(reply, 'invalidFormat');
  return reply.type('application/json').send({ acks: known });
}

/** Health for a token, where one is named: `ack=1` asks of acknowledgements too, which have no queue of their own. */
async function answerHealth(
  request: FastifyRequest,
  reply: FastifyReply,
  { sources, whyClosed }: HecDeps,
): Promise<FastifyReply> {
  const token = tokenOf(request) ?? queryOf(request, 'token');
  if (token && (await sources.findByToken(token)) === null) {
    sources.refuse('token-wrong', request.ip);
    return answer(reply, 'wrongToken');
  }
  return answer(reply, whyClosed() === null ? 'healthy' : 'unhealthy');
}

/** Paths by which senders ask: for health, and what is acknowledged. */
function registerAsking(hec: FastifyInstance, deps: HecDeps): void {
  for (const path of ['/services/collector/health', '/services/collector/health/1.0'])
    hec.get(path, SENDER_ROUTE, (request, reply) => answerHealth(request, reply, deps));
  for (const path of ['/services/collector/ack', '/services/collector/ack/1.0'])
    hec.post(path, ACK_ROUTE, async (request, reply) => answerAcks(request, reply, deps.acks));
}

/** Binds the collector's paths in a context of their own, whose errors speak HEC too. */
export async function registerHec(app: FastifyInstance, deps: HecDeps): Promise<void> {
  const { ingest, sources, log, budget, acks } = deps;

  const collect = async (request: FastifyRequest, reply: FastifyReply, format: 'hec-events' | 'hec-raw') => {
    const source = admittedSource(request);
    const isGzip = isGzipBody(request);
    const body = bodyOf(request);
    if (isGzip === undefined) return answer(reply, 'invalidFormat', { detail: 'only gzip is understood' });
    if (body.length === 0) return answer(reply, 'noData');
    const channel = channelOf(request);
    if (channel !== undefined && !isChannel(channel)) return answer(reply, 'channelInvalid');
    const isRaw = format === 'hec-raw';
    const host = isRaw ? queryOf(request, 'host') : undefined;
    const sourcetype = isRaw ? queryOf(request, 'sourcetype') : undefined;
    const key = headerOf(request, 'idempotency-key');
    const hints: BatchHints = { ...(host ? { host } : {}), ...(sourcetype ? { sourcetype } : {}) };
    try {
      const target = targetOf(request, source, isRaw ? queryOf(request, 'source') : undefined);
      const received = await ingest.receive(target, { format, body, isGzip, hints, ...(key ? { key } : {}) });
      reportDelivery(reply, received, log);
      const ackId = channel === undefined ? {} : { ackId: acks.issue(source.sourceId, channel) };
      return answerOutcome(reply, received.outcome, ackId);
    } catch (error) {
      sources.count(source.clusterId, source.sourceId, { refused_busy: 1 });
      log.warn({ err: (error as Error).message }, 'a batch of HEC was not taken');
      return answer(reply, 'busy');
    }
  };

  await app.register(async (hec) => {
    acceptBytes(hec);
    guardSenders(
      hec,
      {
        authenticate: (request, reply) => authenticate(request, reply, sources),
        refuseDisabled: (reply) => answer(reply, 'tokenDisabled'),
        refuseBusy: (reply) => answer(reply, 'busy'),
      },
      { sources, budget },
    );
    hec.setErrorHandler(async (error: Error & { code?: string; statusCode?: number }, request, reply) => {
      const { status, isBusy } = countBodyError(error, request, sources);
      if (isBusy) return answer(reply, 'busy');
      if (status === 413) return reply.code(413).send({ text: 'Content too large', code: 27 });
      if (error instanceof AppError) return answer(reply, 'busy');
      if (error.statusCode !== undefined && error.statusCode < 500) return answer(reply, 'invalidFormat');
      log.error({ err: error }, 'HEC failed');
      return answer(reply, 'internal');
    });
    for (const base of [
      '/services/collector',
      '/services/collector/event',
      '/services/collector/event/1.0',
    ]) {
      hec.post(base, SENDER_ROUTE, (request, reply) => collect(request, reply, 'hec-events'));
    }
    for (const base of ['/services/collector/raw', '/services/collector/raw/1.0']) {
      hec.post(base, SENDER_ROUTE, (request, reply) => collect(request, reply, 'hec-raw'));
    }
    registerAsking(hec, deps);
  });
}
