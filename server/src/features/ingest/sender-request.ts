import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { giveBackMemory } from '../../platform/give-back-memory.ts';
import type { Logger } from '../../platform/log.ts';
import { type IngestSource, TOKEN_START } from '../sources/ingest-source.ts';
import type { IngestTarget } from './ingest-batch.ts';
import type { ReceivedBatch } from './ingest-service.ts';

// What all HTTP protocols of senders share: the body as bytes, the token, and knowing whether an answer arrived.

/** Largest body on the wire, compressed or not. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Takes bodies of any content type as bytes; what they mean is decided by the path. */
export function acceptBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** Options of every route of senders: large bodies, and no limit on how often. */
export const SENDER_ROUTE = { bodyLimit: MAX_BODY_BYTES, config: { rateLimit: false as const } };

/** The body, empty when there was none. */
export function bodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** How the body is packed; undefined for a packing that nobody here can read. */
export function isGzipBody(request: FastifyRequest): boolean | undefined {
  const encoding = String(request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'gzip' || encoding === 'x-gzip') return true;
  return encoding === 'identity' || encoding === '' ? false : undefined;
}

/**
 * The token of a request: `Authorization: Splunk|Bearer|ApiKey <token>`, or Basic with the token as password.
 * Undefined without the header, null when it cannot be read.
 */
export function tokenOf(request: FastifyRequest): string | null | undefined {
  const header = request.headers.authorization;
  return header === undefined || header === '' ? undefined : tokenOfHeader(header);
}

/** The token in the value of an Authorization header; null when it cannot be read. */
export function tokenOfHeader(header: string): string | null {
  const [scheme = '', value = ''] = header.split(/\s+/, 2);
  if (value === '') return null;
  const named = scheme.toLowerCase();
  if (named === 'splunk' || named === 'bearer') return value;
  if (named !== 'basic' && named !== 'apikey') return null;
  // A token by itself may by chance be base64 of a text with a colon.
  if (value.startsWith(TOKEN_START)) return value;
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? value : text.slice(colon + 1);
}

/** The source of a token with the name and address of the sender. */
export function targetOf(request: FastifyRequest, source: IngestSource, sourceName?: string): IngestTarget {
  const { clusterId, scopeId, sourceId } = source;
  return {
    clusterId,
    scopeId,
    sourceId,
    sourceName: sourceName === undefined || sourceName === '' ? source.sourceName : sourceName,
    sourceAddress: request.ip,
  };
}

/**
 * Tells the ledger, once the connection shows it, whether the answer left for the sender. Nothing of the request's body is
 * left from then on when it was stored.
 */
export function reportDelivery(reply: FastifyReply, received: ReceivedBatch, log: Logger): void {
  const { raw } = reply;
  if (received.outcome.kind === 'stored') giveBackMemory(bodyOf(reply.request));
  let isTold = false;
  const tell = (wasDelivered: boolean) => {
    if (isTold) return;
    isTold = true;
    received.answered(wasDelivered).catch((error: Error) => {
      log.warn({ err: error.message }, 'the ledger could not be told of an answer');
    });
  };
  if (raw.destroyed || raw.socket?.destroyed) {
    tell(false);
    return;
  }
  raw.once('finish', () => tell(true));
  raw.once('close', () => tell(raw.writableFinished));
}

/** One header as text. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** One query parameter as text. */
export function queryOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
