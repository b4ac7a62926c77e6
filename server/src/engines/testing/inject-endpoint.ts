import type { Readable } from 'node:stream';
import type { Endpoint } from '@tyrian/contract';
import type { FastifyInstance, InjectOptions } from 'fastify';

/** What came back: of a stream of events, which would not end by itself, what it says first. */
interface Injected {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly payload: string;
  json(): { readonly message: string };
}

async function firstOf(stream: Readable): Promise<string> {
  for await (const piece of stream) return String(piece);
  return '';
}

/** Sends a request for an endpoint past the network. */
export async function injectEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  request: InjectOptions,
): Promise<Injected> {
  const isStream = endpoint.answer === 'sse';
  const response = await app.inject({ ...request, ...(isStream ? { payloadAsStream: true } : {}) });
  const payload = isStream ? await firstOf(response.stream()) : response.payload;
  return {
    statusCode: response.statusCode,
    headers: response.headers,
    payload,
    json: () => JSON.parse(payload),
  };
}
