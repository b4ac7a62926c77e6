import { connect } from 'node:net';
import { type Access, endpoint, say } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { AppError, notAuthorised, notFound } from '../app-error.ts';
import { EventStoreError } from '../clickhouse/event-store.ts';
import { createLog } from '../log.ts';
import { bindEndpoint, bindPublicEndpoint } from './bind-endpoint.ts';
import type { Authorizer, Caller, RequestedScopes } from './caller.ts';
import { createHttpApp, type HttpAppOptions } from './create-http-app.ts';

const somebody: Caller = {
  userId: 'u1',
  name: 'Some Body',
  email: 'some@body.example',
  ssid: 'good',
  tagsAt: () => ['analyst'],
  scopesWith: () => [],
};

const INVALID = {
  status: 'invalid',
  message: 'Invalid',
  data: null,
  code: 'invalid-session',
  messageCode: 'session.invalid',
  messageValues: {},
};
const REFUSED = {
  status: 'failed',
  message: 'user not authorised',
  data: null,
  code: 'not-authorised',
  messageCode: 'session.notAuthorised',
  messageValues: {},
};

describe('an endpoint that is bound', () => {
  let app: FastifyInstance | undefined;
  afterEach(() => app?.close());

  const requests: RequestedScopes[] = [];
  const noTrail = { refused: async () => undefined, forgotten: async () => undefined };
  const authorizer: Authorizer = {
    authenticate: async (ssid) => (ssid === 'good' ? somebody : null),
    authorize: async (_caller, _access, requested) => {
      requests.push(requested);
      if (requested.scopeIds.includes('closed')) throw notAuthorised();
    },
  };
  const openApp = async (more: Partial<HttpAppOptions> = {}) => {
    app = await createHttpApp({
      log: createLog('silent'),
      authorizer,
      trail: noTrail,
      whyUnavailable: () => null,
      checkOutput: true,
      ...more,
    });
    return app;
  };
  const inScope: Access = { kind: 'roles', in: 'scope', tags: ['analyst'] };
  const probe = endpoint({
    name: 'tests.probe',
    method: 'POST',
    path: '/:clusterId/api/probe',
    summary: 'A call for this test.',
    input: z.object({ scope_id: z.string(), count: z.number().int().default(7) }),
    output: z.object({ doubled: z.number() }),
    access: inScope,
    audit: 'nothing',
  });
  const ask = (payload: unknown, ssid: string | undefined = 'good') =>
    app?.inject({
      method: 'POST',
      url: '/c1/api/probe',
      payload: payload as object,
      headers: ssid ? { ssid } : {},
    });

  it('answers the envelope around the data, with defaults filled in', async () => {
    bindEndpoint(await openApp(), probe, ({ input, clusterId, caller }) => {
      expect([clusterId, caller.userId]).toEqual(['c1', 'u1']);
      return { doubled: input.count * 2 };
    });
    const answer = await ask({ scope_id: 's1' });
    expect(answer?.statusCode).toBe(200);
    expect(answer?.json()).toEqual({ status: 'success', message: 'success', data: { doubled: 14 } });
    expect(requests.at(-1)).toEqual({ clusterId: 'c1', scopeIds: ['s1'] });
  });

  it.each([
    ['no session', { scope_id: 's1' }, '', 401, INVALID],
    ['an unknown session', { scope_id: 's1' }, 'bad', 401, INVALID],
    ['no right at the scope', { scope_id: 'closed' }, 'good', 403, REFUSED],
    [
      'no right, and bad input: the right comes first',
      { scope_id: 'closed', count: 'x' },
      'good',
      403,
      REFUSED,
    ],
  ])('refuses %s', async (_title, payload, ssid, http, body) => {
    bindEndpoint(await openApp(), probe, () => ({ doubled: 0 }));
    const answer = await ask(payload, ssid);
    expect(answer?.statusCode).toBe(http);
    expect(answer?.json()).toEqual(body);
  });

  it('names the field that is wrong', async () => {
    bindEndpoint(await openApp(), probe, () => ({ doubled: 0 }));
    const answer = await ask({ scope_id: 's1', count: 1.5 });
    expect(answer?.statusCode).toBe(422);
    expect(answer?.json()).toMatchObject({ status: 'failed', message: expect.stringMatching(/^count: /) });
  });

  it('[R-C39] says what is wrong by code and values, the place and the reason', async () => {
    bindEndpoint(await openApp(), probe, () => ({ doubled: 0 }));
    const reason = { code: 'reasons.wholeNumber', values: {}, text: 'must be a whole number' };
    expect((await ask({ scope_id: 's1', count: 1.5 }))?.json()).toMatchObject({
      message: 'count: must be a whole number',
      messageCode: 'input.field',
      messageValues: { field: 'count', reason },
      data: [{ path: 'count', message: reason.text, messageCode: reason.code, messageValues: {} }],
    });
  });

  it.each([
    [notFound(), 404, 'failed', 'Not found'],
    [new AppError('conflict', say('search.savedChanged')), 409, 'failed', /changed in the meantime/],
    [new AppError('too-many', say('auth.tooManySignIns')), 429, 'failed', /too many/i],
    [new EventStoreError(0, 'secret address'), 503, 'error', /not available right now/],
    [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 503, 'error', /not available right now/],
    [new Error('Connection terminated unexpectedly'), 503, 'error', /not available right now/],
    [new Error('secret detail'), 500, 'error', 'Internal error'],
    [new EventStoreError(47, 'secret column'), 500, 'error', 'Internal error'],
  ])('turns %s into an answer that tells no secret', async (error, http, status, message) => {
    bindEndpoint(await openApp(), probe, () => {
      throw error;
    });
    const answer = await ask({ scope_id: 's1' });
    expect(answer?.statusCode).toBe(http);
    expect(answer?.json()).toMatchObject({ status, message: expect.stringMatching(message) });
    expect(answer?.headers['retry-after']).toBe(http === 503 ? '2' : undefined);
  });

  it('refuses every call while an engine is down', async () => {
    bindEndpoint(await openApp({ whyUnavailable: () => say('engines.recordsDown') }), probe, () => ({
      doubled: 0,
    }));
    const answer = await ask({ scope_id: 's1' });
    expect(answer?.statusCode).toBe(503);
    expect(answer?.json()).toEqual({
      status: 'error',
      message: expect.stringContaining('PostgreSQL'),
      messageCode: 'engines.recordsDown',
      messageValues: {},
      data: null,
      code: 'unavailable',
    });
  });

  it.each([
    ['malformed JSON', '{"scope_id": ', 'application/json', 422],
    ['another content type', '<a/>', 'application/xml', 422],
    [
      'a body that is too large',
      JSON.stringify({ scope_id: 'x'.repeat(2_000_000) }),
      'application/json',
      413,
    ],
  ])('answers %s with an envelope', async (_title, payload, type, http) => {
    bindEndpoint(await openApp(), probe, () => ({ doubled: 0 }));
    const answer = await app?.inject({
      method: 'POST',
      url: '/c1/api/probe',
      payload,
      headers: { ssid: 'good', 'content-type': type },
    });
    expect(answer?.statusCode).toBe(http);
    expect(answer?.json()).toMatchObject({ status: 'failed', data: null });
  });

  it('limits calls where it is told to', async () => {
    const open = endpoint({
      ...probe,
      name: 'tests.open',
      path: '/lc/open',
      input: z.object({}),
      access: { kind: 'public' },
    });
    bindPublicEndpoint(await openApp(), open, () => ({ doubled: 1 }), { perMinute: 2 });
    const codes = [];
    for (let n = 0; n < 3; n++) {
      const answer = await app?.inject({ method: 'POST', url: '/lc/open', payload: {} });
      codes.push(answer?.statusCode);
      if (n === 2) expect(answer?.json()).toMatchObject({ status: 'failed', message: /Too many requests/ });
    }
    expect(codes).toEqual([200, 200, 429]);
  });

  it('cannot be bound the wrong way round', async () => {
    const opened = await openApp();
    expect(() => bindPublicEndpoint(opened, probe, () => ({ doubled: 0 }))).toThrow(
      'tests.probe is not public',
    );
  });

  it('answers an unknown path with the envelope', async () => {
    const answer = await (await openApp()).inject({ url: '/c1/api/none' });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      status: 'failed',
      message: 'Not found',
      messageCode: 'session.notFound',
      messageValues: {},
      data: null,
      code: 'not-found',
    });
  });

  it('tells a handler when its client has gone', async () => {
    const gone = new Promise<string>((resolve) => {
      openApp().then(async (opened) => {
        bindEndpoint(
          opened,
          probe,
          ({ signal }) =>
            new Promise((answer) => {
              signal.addEventListener('abort', () => {
                resolve('aborted');
                answer({ doubled: 0 });
              });
            }),
        );
        await opened.listen({ port: 0, host: '127.0.0.1' });
        const { port } = opened.server.address() as { port: number };
        const body = JSON.stringify({ scope_id: 's1' });
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(
            `POST /c1/api/probe HTTP/1.1\r\nHost: x\r\nssid: good\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          );
          setTimeout(() => socket.destroy(), 200);
        });
      });
    });
    expect(await gone).toBe('aborted');
  });

  it('does not call it an error when the caller went away', async () => {
    const said: { level: number; msg: string }[] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void said.push(JSON.parse(line)) });
    const opened = await openApp({ log });
    bindEndpoint(
      opened,
      probe,
      ({ signal }) =>
        new Promise((_, refuse) => {
          signal.addEventListener('abort', () => refuse(signal.reason));
        }),
    );
    await opened.listen({ port: 0, host: '127.0.0.1' });
    const { port } = opened.server.address() as { port: number };
    const call = fetch(`http://127.0.0.1:${port}/c1/api/probe`, {
      method: 'POST',
      headers: { ssid: 'good', 'content-type': 'application/json' },
      body: JSON.stringify({ scope_id: 's1' }),
      signal: AbortSignal.timeout(200),
    });
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(said.map(({ msg }) => msg)).toContain('the caller went away'));
    expect(said.filter(({ level }) => level > 20)).toEqual([]);
  });
});
