import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { tellUsers } from '../../platform/events/user-news.ts';
import { writeEvents } from '../../platform/events/write-events.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';

let test: TestApp;
let company: Company;
let port: number;
const open: http.ClientRequest[] = [];

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  port = (test.app.server.address() as AddressInfo).port;
});
afterEach(() => {
  for (const request of open.splice(0)) request.destroy();
});
afterAll(() => test?.close());

interface Heard {
  readonly http: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: () => string;
  readonly news: () => { signal_ids: string[]; unread: number; cursor: string }[];
  readonly ended: Promise<unknown>;
}

/** Opens a stream as a browser does, and collects what it says. */
async function listen(
  ssid: string,
  input: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const path = `${contract.liveStream.path}?${new URLSearchParams(input)}`;
  const request = http.get({ host: '127.0.0.1', port, path, headers: { ssid, ...headers } });
  open.push(request);
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  response.on('data', (piece: Buffer) => {
    text += piece.toString('utf8');
  });
  const data = () =>
    [...text.matchAll(/event: news\ndata: (.*)\n/g)].map(([, json]) => JSON.parse(json ?? ''));
  const ended = once(response, 'end').catch(() => undefined);
  return {
    http: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    news: data,
    ended,
  } as Heard;
}

const here = () => ({ clusterId: company.a.clusterId, scope_id: company.a.scope });
const raise = (objectId: string, scopeId = company.a.scope) =>
  test.platform.postgres.inTenant(company.a.clusterId, (trx) =>
    writeEvents(trx, [
      {
        clusterId: company.a.clusterId,
        scopeId,
        kind: 'signal.raised',
        objectId,
        actor: null,
        details: {},
        atMs: test.platform.clock.now(),
      },
    ]),
  );
const eventually = (look: () => unknown) => expect.poll(look, { timeout: 60_000, interval: 20 });
const signalsOf = (heard: Heard) => heard.news().flatMap((one) => one.signal_ids);

describe('the stream of news', () => {
  it('[R-C18] says at once what is there, and what comes when it comes, without being asked', async () => {
    const heard = await listen(await company.signIn('analyst'), here());
    expect(heard.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    await eventually(() => heard.news().length).toBe(1);
    expect(heard.text()).toMatch(/^id: \d+\nevent: news\n/);
    await raise('elsewhere', company.a.otherScope);
    await raise('s1');
    await eventually(() => signalsOf(heard)).toContain('s1');
    expect(signalsOf(heard)).not.toContain('elsewhere');
  });

  it('begins where an earlier stream ended', async () => {
    const ssid = await company.signIn('analyst');
    const first = await listen(ssid, here());
    await eventually(() => first.news().length).toBe(1);
    open.splice(0).map((request) => request.destroy());
    await raise('between');
    const id = first.news()[0]?.cursor ?? '';
    const again = await listen(ssid, here(), { 'last-event-id': id });
    await eventually(() => signalsOf(again)).toContain('between');
  });

  it('[S7-01] ends when the session ends, and says nothing after that', async () => {
    const ssid = await company.signIn('analyst');
    const heard = await listen(ssid, here());
    await eventually(() => heard.news().length).toBe(1);
    await test.call(contract.logout, { ssid });
    await raise('after');
    await heard.ended;
    expect(heard.text()).toMatch(/event: end\ndata: \{\}\n\n$/);
    expect(signalsOf(heard)).not.toContain('after');
    expect((await listen(ssid, here())).http).toBe(401);
  });

  it('[S7-01] looks at rights each time: who lost the scope hears no more of it', async () => {
    const heard = await listen(await company.signIn('adminEngineer'), here());
    await eventually(() => heard.news().length).toBe(1);
    const db = test.platform.postgres.platform;
    const userId = company.userIds.adminEngineer;
    await sql`delete from scope_access where user_id = ${userId}`.execute(db);
    await raise('secret');
    const told = heard.text().length;
    await tellUsers(db, [userId]);
    await eventually(() => heard.text().length).toBeGreaterThan(told);
    expect(signalsOf(heard)).not.toContain('secret');
  });

  it('says nothing of a scope out of reach', async () => {
    for (const role of ['viewer', 'engineerOfB'] as readonly SeedRole[]) {
      const heard = await listen(await company.signIn(role), here());
      await raise('hidden');
      await eventually(() => heard.text().split('\n\n').length).toBeGreaterThan(2);
      expect(signalsOf(heard)).toEqual([]);
    }
  });

  it('a user has eight streams; who closes one may open another', async () => {
    const ssid = await company.signIn('engineer');
    const streams = await Promise.all(Array.from({ length: 9 }, () => listen(ssid, here())));
    expect(streams.map((one) => one.http).sort()).toEqual([...Array(8).fill(200), 429]);
    open.splice(0).map((request) => request.destroy());
    await eventually(async () => (await listen(ssid, here())).http).toBe(200);
  });

  it('does not keep a session alive', async () => {
    const ssid = await company.signIn('contentManager');
    const seen = async () =>
      (
        await sql<{ at: number }>`select max(last_seen_at) as at from session
          where user_id = ${company.userIds.contentManager}`.execute(test.platform.postgres.platform)
      ).rows[0]?.at;
    const before = await seen();
    test.platform.clock.advance(10 * 60_000);
    const heard = await listen(ssid);
    await eventually(() => heard.news().length).toBe(1);
    expect(await seen()).toBe(before);
  });
});
