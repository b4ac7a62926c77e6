import { endpoint, say } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../app-error.ts';
import { createLog } from '../log.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { createHttpApp } from './create-http-app.ts';
import { createRefusalPace } from './refusal-pace.ts';

const refused = (path: string) =>
  endpoint({
    name: `tests.refused.${path}`,
    method: 'POST',
    path: `/:clusterId/api/${path}`,
    summary: 'A call for this test.',
    input: z.object({}),
    output: z.object({}),
    access: { kind: 'roles', in: 'cluster', tags: ['analyst'] },
    audit: 'nothing',
  });

const callerOf = (ssid: string) => ({
  userId: ssid,
  name: ssid,
  email: `${ssid}@example.org`,
  ssid,
  tagsAt: () => ['analyst'] as const,
  scopesWith: () => [],
});

describe('answers to who is told "too many" all the time', () => {
  const stays = new AbortController().signal;
  let app: FastifyInstance | undefined;
  afterEach(() => app?.close());

  it('[S21] are held longer and longer, up to two seconds; a pause forgives', () => {
    let now = 0;
    const pace = createRefusalPace(() => now);
    const told = Array.from({ length: 20 }, () => pace.next('a'));
    expect(told.slice(0, 8)).toEqual([0, 0, 0, 0, 0, 200, 400, 600]);
    expect(told.slice(14)).toEqual([2000, 2000, 2000, 2000, 2000, 2000]);
    expect(pace.next('b')).toBe(0);
    now += 4_000;
    expect(pace.next('a')).toBe(1400);
    now += 60_000;
    expect(pace.next('a')).toBe(0);
  });

  it('[S21] are not held for a caller who has gone', async () => {
    const pace = createRefusalPace(() => 0);
    for (let n = 0; n < 6; n += 1) pace.next('a');
    const order: string[] = [];
    const gone = new AbortController();
    const held = [
      pace.hold('a', stays).then(() => order.push('stayed')),
      pace.hold('a', gone.signal).then(() => order.push('gone')),
      pace.hold('b', stays).then(() => order.push('other')),
    ];
    gone.abort();
    await Promise.all(held);
    expect(order.at(-1)).toBe('stayed');
    expect(order.toSorted()).toEqual(['gone', 'other', 'stayed']);
  });

  it('[S21] are given at once while a hundred are held', async () => {
    const pace = createRefusalPace(() => 0);
    for (let n = 0; n < 6; n += 1) pace.next('a');
    const gone = new AbortController();
    let ended = 0;
    const held = Array.from({ length: 100 }, () => pace.hold('a', gone.signal).then(() => (ended += 1)));
    await pace.hold('a', stays);
    expect(ended).toBe(0);
    gone.abort();
    await Promise.all(held);
    expect(ended).toBe(100);
  });

  it('[S21] come late by HTTP, with what they say unchanged, while others are answered', async () => {
    app = await createHttpApp({
      log: createLog('silent'),
      authorizer: { authenticate: async (ssid) => callerOf(ssid), authorize: async () => undefined },
      trail: { refused: async () => undefined, forgotten: async () => undefined },
      whyUnavailable: () => null,
      checkOutput: true,
    });
    const refuse = () => {
      throw new AppError('too-many', say('search.engineBusy'));
    };
    bindEndpoint(app, refused('small'), refuse);
    bindEndpoint(app, refused('large'), refuse, { bodyLimit: 8_000_000 });
    const answered: string[] = [];
    const ask = async (ssid: string, path = 'small') => {
      const answer = await app?.inject({
        method: 'POST',
        url: `/c1/api/${path}`,
        payload: {},
        headers: { ssid },
      });
      answered.push(`${ssid} ${path}`);
      expect(answer?.statusCode).toBe(429);
      expect(answer?.json()).toMatchObject({ code: 'too-many', messageCode: 'search.engineBusy' });
    };
    const hammered = Array.from({ length: 12 }, () => ask('hammers'));
    await Promise.all([...hammered, ask('asks once'), ask('hammers', 'large')]);
    for (const other of ['asks once small', 'hammers large']) {
      const later = answered.slice(answered.indexOf(other)).filter((who) => who === 'hammers small');
      expect(later.length).toBeGreaterThanOrEqual(5);
    }
    expect(answered).toHaveLength(14);
  });
});
