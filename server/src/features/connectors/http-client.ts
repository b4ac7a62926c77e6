import { setTimeout as pause } from 'node:timers/promises';
import { type HttpPollerConfig, say } from '@tyrian/contract';
import { jsonTextAt } from '@tyrian/ingest';
import { requestOutgoing } from '../../platform/outgoing/outgoing-http.ts';
import { ConnectorError, excerptOf } from './connector-error.ts';
import { bodyOf, headersOf, type Variables } from './http-request.ts';
import type { PullCall } from './puller.ts';
import { textOfBody } from './record-texts.ts';

// Requests of a poller with its proof, within its rate. What the service has against us becomes a ConnectorError.

const CALL_MS = 60_000;
const TOKEN_MS = 15_000;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_TOKEN_BYTES = 100_000;
const LONGEST_WAIT_MS = 3_600_000;
/** A token is fetched anew so long before it ends. */
const TOKEN_EARLY_MS = 60_000;

export interface HttpAnswer {
  readonly text: string;
  readonly headers: Headers;
}

export interface HttpClient {
  get(url: URL, variables: Variables, isFollowed?: boolean): Promise<HttpAnswer>;
}

type Call = PullCall<HttpPollerConfig>;

/** Milliseconds that a header Retry-After asks for; null when there is none. */
function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.min(LONGEST_WAIT_MS, Math.max(1_000, ms)) : null;
}

/** Throws when the status is none of success. */
export function assertAnswered(status: number, headers: Headers, text: string, nowMs: number): void {
  if (status >= 200 && status < 300) return;
  const wait = status === 429 || status === 503 ? retryAfterMs(headers.get('retry-after'), nowMs) : null;
  const isBusy = status === 408 || status === 429 || status >= 500;
  throw new ConnectorError(say('connectors.answered', { status, answer: excerptOf(text) }), {
    retryAfterMs: wait ?? (status === 429 ? 60_000 : null),
    isLasting: !isBusy,
  });
}

/** A client for one turn. Requests come one after the other, as far apart as the rate says. */
export function httpClient(call: Call): HttpClient {
  const { config, signal, outgoing } = call;
  const gapMs = 60_000 / config.per_minute;
  let nextMs = 0;
  let token: { readonly value: string; readonly untilMs: number } | null = null;
  const proof = async (): Promise<Record<string, string>> => {
    if (config.auth !== 'oauth') return plainProof(call);
    if (token === null || token.untilMs <= performance.now()) token = await fetchToken(call);
    return { authorization: `Bearer ${token.value}` };
  };
  return {
    get: async (url, variables, isFollowed = false) => {
      const waitMs = nextMs - performance.now();
      if (waitMs > 0) await pause(waitMs, undefined, { signal });
      nextMs = performance.now() + gapMs;
      const body = isFollowed ? undefined : bodyOf(config, variables);
      const answer = await requestOutgoing(outgoing, {
        url: url.href,
        method: isFollowed ? 'GET' : config.method,
        headers: {
          ...headersOf(config, variables),
          ...(await proof()),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body === undefined ? {} : { body }),
        timeMs: CALL_MS,
        maxBytes: MOST_BYTES,
        signal,
      });
      const text = textOfBody(answer.body, url.pathname);
      assertAnswered(answer.status, answer.headers, text, call.nowMs());
      return { text, headers: answer.headers };
    },
  };
}

function plainProof({ config, secrets }: Call): Record<string, string> {
  const secret = secrets.secret ?? '';
  switch (config.auth) {
    case 'header':
      return { [config.auth_header.toLowerCase()]: secret };
    case 'basic':
      return { authorization: `Basic ${Buffer.from(`${config.auth_user}:${secret}`).toString('base64')}` };
    case 'bearer':
      return { authorization: `Bearer ${secret}` };
    default:
      return {};
  }
}

async function fetchToken(call: Call) {
  const { config, secrets, outgoing, signal } = call;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: config.client_id,
    client_secret: secrets.secret ?? '',
    ...(config.oauth_scope === '' ? {} : { scope: config.oauth_scope }),
  });
  const answer = await requestOutgoing(outgoing, {
    url: config.token_url,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
    timeMs: TOKEN_MS,
    maxBytes: MOST_TOKEN_BYTES,
    signal,
  });
  const text = textOfBody(answer.body, 'token');
  assertAnswered(answer.status, answer.headers, text, call.nowMs());
  const written = jsonTextAt(text, ['access_token']);
  const value: unknown = written?.startsWith('"') ? JSON.parse(written) : undefined;
  if (typeof value !== 'string' || value === '' || /[^\x21-\x7e]/.test(value))
    // What it says instead is not repeated: it may hold a part of a token.
    throw new ConnectorError(say('connectors.noAccessToken'), { isLasting: true });
  const seconds = Number(jsonTextAt(text, ['expires_in']) ?? 300);
  const livesMs = (Number.isFinite(seconds) ? seconds : 300) * 1_000;
  return { value, untilMs: performance.now() + Math.max(5_000, livesMs - TOKEN_EARLY_MS) };
}
