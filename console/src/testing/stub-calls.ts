import type { Endpoint, RefusalCode, ServerMessage } from '@tyrian/contract';
import { vi } from 'vitest';

// Answers calls without a server: one handler per endpoint, every request kept.

interface SeenCall {
  readonly name: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly input: Record<string, unknown>;
}

/** What a handler gives: data for a success (all of it where the endpoint answers flat), or a whole answer. */
type Answer = (input: Record<string, unknown>) => unknown;

/** An answer that is not a success. */
export class Refusal {
  readonly http: number;
  readonly body: unknown;

  constructor(http: number, status: string, message: string, data: unknown = null, code?: RefusalCode) {
    this.http = http;
    this.body = { status, message, data, code };
  }

  /** The same with a message by its code. */
  static of(http: number, { code, values, text }: ServerMessage, data: unknown = null): Refusal {
    const refusal = new Refusal(http, 'failed', text, data);
    Object.assign(refusal.body as object, { messageCode: code, messageValues: values });
    return refusal;
  }
}

/** Replaces `fetch`; endpoints without a handler answer 404. */
export function stubCalls(handlers: readonly (readonly [Endpoint, Answer])[]): { readonly seen: SeenCall[] } {
  const seen: SeenCall[] = [];
  const stub = async (url: string | URL | Request, init: RequestInit = {}) => {
    const address = new URL(String(url), 'http://tyrian.test');
    const found = handlers.find(
      ([endpoint]) =>
        endpoint.method === (init.method ?? 'GET') && pattern(endpoint.path).test(address.pathname),
    );
    const input =
      init.body instanceof FormData
        ? Object.fromEntries(init.body.entries())
        : init.body
          ? JSON.parse(String(init.body))
          : Object.fromEntries(address.searchParams);
    const headers = Object.fromEntries(new Headers(init.headers).entries());
    seen.push({ name: found?.[0].name ?? 'unknown', url: address.pathname, headers, input });
    const answer = found ? await found[1](input) : new Refusal(404, 'failed', 'not found');
    if (answer instanceof Error) throw answer;
    const [http, body] =
      answer instanceof Refusal
        ? [answer.http, answer.body]
        : [200, found?.[0].answer === 'flat' ? answer : { status: 'success', message: '', data: answer }];
    return new Response(JSON.stringify(body), {
      status: http,
      headers: { 'content-type': 'application/json', 'x-request-id': 'req-1' },
    });
  };
  vi.stubGlobal('fetch', stub);
  return { seen };
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:[A-Za-z_]+/g, '[^/]+')}$`);
}
