import { type IncomingMessage, request as requestOver } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Reached } from './check-target.ts';
import type { Outgoing } from './outgoing-connections.ts';
import { OutgoingError } from './outgoing-error.ts';

// HTTP over checked outgoing connections: every hop of a redirect is checked anew, and time, header and body are bounded. HTTPS, and
// plain HTTP only to networks that the operator has listed. Nothing is decompressed: what comes is what is counted.

export interface OutgoingRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** How many redirects are followed, at most 3; none when absent. Only for GET. */
  readonly redirects?: number;
  /** For the whole call with its redirects, milliseconds. */
  readonly timeMs: number;
  /** Largest body, bytes. */
  readonly maxBytes: number;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
}

export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Every hop. */
  readonly reached: readonly Reached[];
}

const MAX_REDIRECTS = 3;
const HEADER_BYTES = 16_384;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/**
 * Ports on which other protocols listen, from the "bad ports" of the Fetch standard: what we send there could be read
 * as commands of a mail server, a printer or a database.
 */
const OTHER_PROTOCOLS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

interface Hop {
  readonly url: URL;
  readonly port: number;
}

function hopTo(url: URL): Hop {
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const refuse = (reason: string) => new OutgoingError({ host: url.hostname, port, reason });
  if (!isHttp) throw refuse('neither https nor http');
  if (url.username !== '' || url.password !== '') throw refuse('a password in the address');
  if (OTHER_PROTOCOLS.has(port)) throw refuse('a port of another protocol');
  return { url, port };
}

function overTls(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const bare = host.replace(/^\[(.*)\]$/, '$1');
    // The certificate is checked against the name in the address, not against what the name resolved to.
    const secure = connectTls({
      socket,
      host: bare,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(bare) === 0 ? { servername: bare } : {}),
    });
    const late = () => secure.destroy(new Error('took too long'));
    signal.addEventListener('abort', late, { once: true });
    secure.once('secureConnect', () => {
      signal.removeEventListener('abort', late);
      resolve(secure);
    });
    secure.once('error', reject);
    secure.on('error', () => undefined);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}

function exchange(socket: Socket, { url }: Hop, asked: OutgoingRequest, signal: AbortSignal) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const { body } = asked;
    const request = requestOver({
      createConnection: () => socket,
      method: asked.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      maxHeaderSize: HEADER_BYTES,
      signal,
      headers: {
        ...asked.headers,
        host: url.host,
        'accept-encoding': 'identity',
        connection: 'close',
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
    });
    request.once('response', resolve);
    request.on('error', reject);
    request.on('upgrade', () => reject(new Error('an upgrade that nobody asked for')));
    request.end(body);
  });
}

async function bodyOf(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new Error('a compressed body that nobody asked for');
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) throw new Error('the body is too large');
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > maxBytes) throw new Error('the body is too large');
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function headersOf(answer: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  return headers;
}

async function askOnce(outgoing: Outgoing, hop: Hop, asked: OutgoingRequest, signal: AbortSignal) {
  const isSecure = hop.url.protocol === 'https:';
  const target = { host: hop.url.hostname, port: hop.port };
  const { socket, reached } = await outgoing.connect(target, { signal, onlyListed: !isSecure });
  const end = () => socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    const channel = isSecure ? await overTls(socket, hop.url.hostname, signal) : socket;
    const answer = await exchange(channel, hop, asked, signal);
    const status = answer.statusCode ?? 0;
    const location = REDIRECTS.has(status) ? answer.headers.location : undefined;
    const body = location === undefined ? await bodyOf(answer, asked.maxBytes) : new Uint8Array();
    return { status, location, headers: headersOf(answer), body, reached };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'no answer';
    throw new OutgoingError({ ...reached, reason: signal.aborted ? 'took too long' : reason });
  } finally {
    signal.removeEventListener('abort', end);
    socket.destroy();
  }
}

function nextHop(from: Hop, location: string): Hop {
  const at = { host: from.url.hostname, port: from.port };
  if (!URL.canParse(location, from.url))
    throw new OutgoingError({ ...at, reason: 'a redirect to no address' });
  const url = new URL(location, from.url);
  if (from.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw new OutgoingError({ ...at, reason: 'a redirect from https to something else' });
  }
  return hopTo(url);
}

/**
 * One call. Answers whatever status the server gives; throws OutgoingError for everything that keeps an answer from
 * arriving whole, within time and size.
 */
export async function requestOutgoing(outgoing: Outgoing, asked: OutgoingRequest): Promise<OutgoingAnswer> {
  const timeout = AbortSignal.timeout(asked.timeMs);
  const signal = asked.signal ? AbortSignal.any([timeout, asked.signal]) : timeout;
  const left = Math.min(asked.redirects ?? 0, MAX_REDIRECTS);
  const all: Reached[] = [];
  let hop = hopTo(new URL(asked.url));
  for (let followed = 0; ; followed++) {
    const { status, location, headers, body, reached } = await askOnce(outgoing, hop, asked, signal);
    all.push(reached);
    if (location === undefined || asked.redirects === undefined)
      return { status, headers, body, reached: all };
    if (followed >= left) throw new OutgoingError({ ...reached, reason: 'too many redirects' });
    hop = nextHop(hop, location);
  }
}
