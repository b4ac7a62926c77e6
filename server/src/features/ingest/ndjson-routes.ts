import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import type { Logger } from '../../platform/log.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { IngestOutcome, IngestService } from './ingest-service.ts';
import type { LocalAccess } from './local-access.ts';
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

// Lines of any kind, one record each: JSON, CEF, audit logs, syslog in files. `tyrian import` sends here too.

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  if (status === 503) reply.header('retry-after', '5');
  return reply.code(status).send({ status: 'failed', message, data: null });
}

function answerOutcome(reply: FastifyReply, outcome: IngestOutcome): FastifyReply {
  switch (outcome.kind) {
    case 'stored':
      return reply.send({
        status: 'success',
        message: 'success',
        data: { ...outcome.report.counts, is_repeat: outcome.isRepeat },
      });
    case 'in-progress':
      return refuse(reply, 503, 'the same batch is being stored; ask again');
    case 'key-reused':
      return refuse(reply, 409, 'this Idempotency-Key was used for another body');
    case 'fault':
      return refuse(reply, outcome.fault.fault === 'too-large' ? 413 : 400, outcome.fault.message);
  }
}

/** A header that may hold any letters, percent-encoded. */
function decodedHeader(request: FastifyRequest, name: string): string | undefined {
  const value = headerOf(request, name);
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** What a source that the command line asks for is like. */
function asked(request: FastifyRequest) {
  const withSharedKey = headerOf(request, 'x-tyrian-shared-key') === 'yes';
  return { kind: 'http', networks: [], by: null, withSharedKey } as const;
}

const LOCAL_ONLY = 'only for the command line on this machine';
const LOCAL_PATHS = new Set(['/ingest/tokens', '/ingest/scopes']);
/** Calls of the command line carry no body. */
const COMMAND_ROUTE = { ...SENDER_ROUTE, bodyLimit: 16_384 };

export interface NdjsonDeps {
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly local: LocalAccess;
  readonly log: Logger;
  readonly budget: BodyBudget;
}

/** Binds `POST /ingest/ndjson` in a context of its own. */
export async function registerNdjson(app: FastifyInstance, deps: NdjsonDeps): Promise<void> {
  const { ingest, sources, local, log, budget } = deps;

  const authenticate = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<IngestSource | 'open' | null> => {
    const token = tokenOf(request);
    if (LOCAL_PATHS.has(request.routeOptions.url ?? '')) {
      if (token && local.isLocal(token)) return 'open';
      refuse(reply, 401, LOCAL_ONLY);
      return null;
    }
    if (token && local.isLocal(token)) {
      const source = await local.sourceFor(
        decodedHeader(request, 'x-tyrian-tenant'),
        decodedHeader(request, 'x-tyrian-scope'),
      );
      if ('source' in source) return source.source;
      refuse(reply, 404, source.message);
      return null;
    }
    const source = token ? await sources.findByToken(token) : null;
    if (source !== null) return source;
    sources.refuse(token ? 'token-wrong' : 'token-missing', request.ip);
    reply.header('www-authenticate', 'Bearer');
    refuse(reply, 401, token ? 'unknown token' : 'a token is required: Authorization: Bearer <token>');
    return null;
  };

  const take = async (request: FastifyRequest, reply: FastifyReply) => {
    const source = admittedSource(request);
    const isGzip = isGzipBody(request);
    const body = bodyOf(request);
    if (isGzip === undefined) return refuse(reply, 415, 'Content-Encoding: only gzip is understood');
    if (body.length === 0) return refuse(reply, 400, 'the body is empty');
    const key = headerOf(request, 'idempotency-key');
    try {
      const target = targetOf(request, source, queryOf(request, 'source'));
      const received = await ingest.receive(target, {
        format: 'lines',
        body,
        isGzip,
        ...(key ? { key } : {}),
      });
      reportDelivery(reply, received, log);
      return answerOutcome(reply, received.outcome);
    } catch (error) {
      sources.count(source.clusterId, source.sourceId, { refused_busy: 1 });
      log.warn({ err: (error as Error).message }, 'a batch was not taken');
      return refuse(reply, 503, (error as Error).message);
    }
  };

  await app.register(async (ndjson) => {
    acceptBytes(ndjson);
    guardSenders(
      ndjson,
      {
        authenticate,
        refuseDisabled: (reply) => refuse(reply, 403, 'the scope of this token is disabled'),
        refuseBusy: (reply) => refuse(reply, 503, 'the server is busy; try again later'),
      },
      { sources, budget },
    );
    ndjson.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
      const { status, isBusy } = countBodyError(error, request, sources);
      if (status >= 500 && !isBusy) log.error({ err: error }, 'NDJSON ingest failed');
      return refuse(reply, status, error.message);
    });
    ndjson.post('/ingest/ndjson', SENDER_ROUTE, take);
    ndjson.post('/ingest/tokens', COMMAND_ROUTE, async (request, reply) => {
      const at = await local.sourceFor(
        decodedHeader(request, 'x-tyrian-tenant'),
        decodedHeader(request, 'x-tyrian-scope'),
      );
      if (!('source' in at)) return refuse(reply, 404, at.message);
      const { clusterId, scopeId } = at.source;
      const name = decodedHeader(request, 'x-tyrian-source') ?? '';
      if (name === '' || name.length > 128) return refuse(reply, 422, 'a source needs a name');
      try {
        const made = await sources.create({ clusterId, scopeId, name, ...asked(request) });
        return reply.send({ status: 'success', message: 'success', data: { token: made.token } });
      } catch (error) {
        if (error instanceof AppError) return refuse(reply, 409, error.message);
        throw error;
      }
    });
    ndjson.get('/ingest/scopes', COMMAND_ROUTE, async (_request, reply) => {
      return reply.send({ status: 'success', message: 'success', data: await local.scopes() });
    });
  });
}
