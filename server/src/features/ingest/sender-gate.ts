import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { BodyBudget, BodyLease } from './sender-limits.ts';

// The gate of all HTTP protocols of senders. It stands before the body: who has no right token, whose scope is
// disabled or who finds the server full is answered at once, and nothing of the body is read into memory.

/** How a protocol tells who sends, and how it says no in its own words. */
export interface SenderProtocol {
  /** The source of the token; `open` for paths that need none. Null when it has answered with a refusal. */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<IngestSource | 'open' | null>;
  refuseDisabled(reply: FastifyReply): FastifyReply;
  refuseBusy(reply: FastifyReply): FastifyReply;
}

/** A refused body up to this size is read and dropped, so that the connection can go on; a larger one ends it. */
const SMALL_BODY = 256 * 1024;
/** How long a connection that is being ended stays, so that its client can read the answer. */
const LINGER_MS = 500;
/** What a body without a declared length reserves at a time. */
const PIECE = 1024 * 1024;

const admitted = new WeakMap<FastifyRequest, IngestSource>();
const leases = new WeakMap<FastifyRequest, BodyLease>();

/** The source of a request that has passed the gate. */
export function admittedSource(request: FastifyRequest): IngestSource {
  const source = admitted.get(request);
  if (source === undefined) throw new Error('the request has not passed the gate');
  return source;
}

/** The declared length of the body; undefined when it comes in pieces. */
function declaredLength(request: FastifyRequest): number | undefined {
  if (request.headers['transfer-encoding'] !== undefined) return undefined;
  return Number(request.headers['content-length'] ?? 0);
}

/** Ends the connection behind the answer when a large body is still on its way; it is not read. */
function endUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.complete !== false || (declaredLength(request) ?? Number.POSITIVE_INFINITY) <= SMALL_BODY) return;
  reply.header('connection', 'close');
  const { socket } = raw;
  // Node closes at once, and a client that is still sending would get a reset instead of the answer.
  socket.destroySoon = () => {
    raw.pause();
    socket.pause();
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** A body without a declared length is counted while it comes. */
function countedBody(lease: BodyLease): Transform {
  let reserved = PIECE;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      reserved -= chunk.length;
      while (reserved < 0) {
        if (!lease.grow(PIECE)) {
          done(Object.assign(new Error('the server is busy; try again later'), { statusCode: 503 }));
          return;
        }
        reserved += PIECE;
      }
      done(null, chunk);
    },
  });
}

export interface SenderGateDeps {
  readonly sources: SourceService;
  readonly budget: BodyBudget;
}

/** Puts the gate in front of every route of a context. */
export function guardSenders(app: FastifyInstance, protocol: SenderProtocol, deps: SenderGateDeps): void {
  const { sources, budget } = deps;

  app.addHook('onRequest', async (request, reply) => {
    const source = await protocol.authenticate(request, reply);
    if (source === null) return reply;
    if (source === 'open') return;
    const refused = (reason: string) => sources.count(source.clusterId, source.sourceId, { [reason]: 1 });
    if (!source.isScopeEnabled) {
      refused('refused_scope-disabled');
      return protocol.refuseDisabled(reply);
    }
    if (request.raw.destroyed && request.raw.complete === false) {
      // The sender left while its token was looked up: nobody waits for an answer, and nothing more will come.
      refused('refused_body-cut-off');
      return reply.hijack();
    }
    const lease = budget.reserve(source.clusterId, declaredLength(request) ?? PIECE);
    if (lease === null) {
      refused('refused_busy');
      return protocol.refuseBusy(reply);
    }
    admitted.set(request, source);
    leases.set(request, lease);
    reply.raw.once('close', () => lease.release());
  });

  app.addHook('preParsing', (request, _reply, payload, done) => {
    const lease = leases.get(request);
    if (lease === undefined || declaredLength(request) !== undefined) done(null, payload);
    else {
      const counted = countedBody(lease);
      payload.once('error', (error: Error) => counted.destroy(error));
      done(null, payload.pipe(counted));
    }
  });

  app.addHook('onSend', async (request, reply, payload) => {
    endUnread(request, reply);
    return payload;
  });

  app.addHook('onResponse', async (request) => leases.get(request)?.release());
}

export interface BodyError {
  readonly status: number;
  readonly isBusy: boolean;
}

/** What went wrong with a body before its handler ran; counted on its source, or on the platform without one. */
export function countBodyError(
  error: Error & { readonly statusCode?: number },
  request: FastifyRequest,
  sources: SourceService,
): BodyError {
  const status = error.statusCode ?? 500;
  const isBusy = status === 503;
  const reason = isBusy ? 'refused_busy' : status === 413 ? 'refused_too-large' : 'refused_body-cut-off';
  const source = admitted.get(request);
  if (source === undefined) sources.refuse(reason, request.ip);
  else sources.count(source.clusterId, source.sourceId, { [reason]: 1 });
  return { status, isBusy };
}
