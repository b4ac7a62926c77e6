import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a service answers to a request. */
export interface LogAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface LogRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface LogService {
  readonly origin: string;
  /** What was asked, in order. */
  readonly asked: LogRequest[];
  /** Changes what it answers. */
  answer(work: (request: LogRequest) => LogAnswer | Promise<LogAnswer>): void;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** A service with an audit log, of our own: it answers what a test says, and remembers what it was asked. */
export async function startLogService(): Promise<LogService> {
  const asked: LogRequest[] = [];
  let work: Parameters<LogService['answer']>[0] = () => ({ body: [] });
  const server = createServer(async (request, response) => {
    const { method = '', headers } = request;
    const one = { url: new URL(request.url ?? '', origin()), method, headers, body: await bodyOf(request) };
    asked.push(one);
    const { status = 200, headers: more = {}, body = '' } = await work(one);
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    response.writeHead(status, { 'content-type': isRaw ? 'text/plain' : 'application/json', ...more });
    response.end(isRaw ? body : JSON.stringify(body));
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: origin(),
    asked,
    answer: (next) => {
      work = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
