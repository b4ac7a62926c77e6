import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../platform/log.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { BatchFormat, BatchReport } from './ingest-batch.ts';
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

// Protocols that push one body to one path and differ in the format of the body and the words of the answer. Each is
// bound in a context of its own, behind the gate of all senders.

export interface PushProtocol {
  /** For the log. */
  readonly name: string;
  readonly paths: readonly string[];
  /** How the body is written; undefined for a content type that nobody here can read. */
  formatOf(request: FastifyRequest): BatchFormat | undefined;
  /** All of the body is stored. */
  accept(request: FastifyRequest, reply: FastifyReply, report: BatchReport): FastifyReply;
  refuse(request: FastifyRequest, reply: FastifyReply, status: number, message: string): FastifyReply;
  /** The answer to a body without bytes; undefined when such a body is one like others. */
  readonly emptyBody?: string;
  /** The body is packed in a way of the format's own, whatever its headers say. */
  isPacked?(request: FastifyRequest): boolean;
}

export interface PushDeps {
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly log: Logger;
  readonly budget: BodyBudget;
}

const BUSY = 'the server is busy; try again later';

function say(
  protocol: PushProtocol,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string,
): FastifyReply {
  if (status === 503) reply.header('retry-after', '5');
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return protocol.refuse(request, reply, status, message);
}

function answerOutcome(
  protocol: PushProtocol,
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: IngestOutcome,
): FastifyReply {
  switch (outcome.kind) {
    case 'stored':
      return protocol.accept(request, reply, outcome.report);
    case 'in-progress':
      return say(protocol, request, reply, 503, 'the same batch is being stored; ask again');
    case 'key-reused':
      return say(protocol, request, reply, 409, 'this Idempotency-Key was used for another body');
    case 'fault': {
      const status = outcome.fault.fault === 'too-large' ? 413 : 400;
      return say(protocol, request, reply, status, outcome.fault.message);
    }
  }
}

async function authenticate(
  protocol: PushProtocol,
  sources: SourceService,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<IngestSource | null> {
  const token = tokenOf(request) ?? queryOf(request, 'token');
  const source = token ? await sources.findByToken(token) : null;
  if (source !== null) return source;
  sources.refuse(token ? 'token-wrong' : 'token-missing', request.ip);
  const message = token ? 'unknown token' : 'a token is required: Authorization: Bearer <token>';
  say(protocol, request, reply, 401, message);
  return null;
}

async function take(
  protocol: PushProtocol,
  { ingest, sources, log }: PushDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const source = admittedSource(request);
  const refused = (status: number, message: string, reason: string) => {
    sources.count(source.clusterId, source.sourceId, { [`refused_${reason}`]: 1 });
    return say(protocol, request, reply, status, message);
  };
  const isGzip = protocol.isPacked?.(request) ? false : isGzipBody(request);
  if (isGzip === undefined) return refused(415, 'Content-Encoding: only gzip is understood', 'unknown-form');
  const format = protocol.formatOf(request);
  if (format === undefined) return refused(415, 'unknown Content-Type', 'unknown-form');
  const body = bodyOf(request);
  if (body.length === 0 && protocol.emptyBody !== undefined)
    return say(protocol, request, reply, 400, protocol.emptyBody);
  const key = headerOf(request, 'idempotency-key');
  try {
    const received = await ingest.receive(targetOf(request, source, queryOf(request, 'source')), {
      ...{ format, body, isGzip },
      ...(key ? { key } : {}),
    });
    reportDelivery(reply, received, log);
    return answerOutcome(protocol, request, reply, received.outcome);
  } catch (error) {
    log.warn({ err: (error as Error).message }, `a batch of ${protocol.name} was not taken`);
    return refused(503, BUSY, 'busy');
  }
}

/** Binds the paths of a protocol. */
export async function registerPush(
  app: FastifyInstance,
  protocol: PushProtocol,
  deps: PushDeps,
): Promise<void> {
  const { sources, budget, log } = deps;
  await app.register(async (push) => {
    acceptBytes(push);
    guardSenders(
      push,
      {
        authenticate: (request, reply) => authenticate(protocol, sources, request, reply),
        refuseDisabled: (reply) =>
          say(protocol, reply.request, reply, 403, 'the scope of this token is disabled'),
        refuseBusy: (reply) => say(protocol, reply.request, reply, 503, BUSY),
      },
      { sources, budget },
    );
    push.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
      const { status, isBusy } = countBodyError(error, request, sources);
      if (status >= 500 && !isBusy) log.error({ err: error }, `${protocol.name} failed`);
      return say(protocol, request, reply, status, error.message);
    });
    for (const path of protocol.paths)
      push.post(path, SENDER_ROUTE, (request, reply) => take(protocol, deps, request, reply));
  });
}
