import { CONNECTOR_CONFIGS, findConnectorKind } from '@tyrian/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { parseNetworks } from '../../platform/outgoing/network-list.ts';
import { createOutgoing } from '../../platform/outgoing/outgoing-connections.ts';
import { httpPoller } from './http-poller.ts';
import { type LogService, startLogService } from './testing/log-service.ts';

// The poller alone: how it asks for pages and what it makes of answers.

const NOW = Date.UTC(2026, 4, 2, 12);
const outgoing = createOutgoing({ allow: parseNetworks('127.0.0.0/8'), log: createLog('silent') });
let service: LogService;
beforeAll(async () => {
  service = await startLogService();
});
afterAll(() => service?.close());
beforeEach(() => {
  service.asked.length = 0;
});

interface Polled {
  readonly records: readonly unknown[];
  readonly position: unknown;
  readonly waitMs: number;
}

async function poll(
  given: Readonly<Record<string, unknown>>,
  position: unknown = null,
  nowMs = NOW,
): Promise<Polled> {
  const config = CONNECTOR_CONFIGS.http.parse({
    url: `${service.origin}/v1/logs`,
    per_minute: 6_000,
    ...given,
  });
  const signal = AbortSignal.timeout(20_000);
  const call = { config, secrets: { secret: 's3cret' }, outgoing, signal, nowMs: () => nowMs };
  const pieces = httpPoller.pull({ ...call, position, connectorId: 'k1' });
  const records: unknown[] = [];
  let at = position;
  for (;;) {
    const next = await pieces.next();
    if (next.done) return { records, position: at, waitMs: next.value };
    records.push(...next.value.records);
    // As it is read back from the database.
    at = JSON.parse(JSON.stringify(next.value.position));
  }
}
const asked = () => service.asked.map(({ url }) => url.search);

describe('pages of a poll', () => {
  it('[T-CONNECTORS] are numbered, or counted by records', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'];
    service.answer(({ url }) => {
      const from = Number(url.searchParams.get('offset') ?? (Number(url.searchParams.get('p')) - 1) * 2);
      return { body: all.slice(from, from + 2).map((name) => ({ name })) };
    });
    const query = (name: string, value: string) => [{ name, value }];
    const byPage = await poll({ pagination: 'page', page_size: 2, query: query('p', '{page}') });
    expect(byPage.records).toEqual(all.map((name) => `{"name":"${name}"}`));
    expect(asked()).toEqual(['?p=1', '?p=2', '?p=3']);
    const byOffset = await poll({ pagination: 'offset', page_size: 2, query: query('offset', '{offset}') });
    expect(byOffset.records).toEqual(byPage.records);
    // All of it again is nothing new.
    expect(
      (await poll({ pagination: 'page', page_size: 2, query: query('p', '{page}') }, byPage.position))
        .records,
    ).toEqual([]);
  });

  it('[T-CONNECTORS] follow a cursor in a POST, which the next poll goes on with', async () => {
    const answers = [
      { items: [{ n: 1 }], cursor: 'c1', more: true },
      { items: [{ n: 2 }], cursor: 'c2', more: false },
      { items: [], cursor: 'c2' },
    ];
    service.answer(() => ({ body: answers.shift() ?? { items: [{ n: 3 }] } }));
    const config = {
      ...{ method: 'POST', auth: 'bearer', records_path: 'items', pagination: 'cursor', next_path: 'cursor' },
      ...{ keep_cursor: true, body: '{"limit":"{limit}","start":"{since}","cursor":"{cursor}"}' },
      ...{ cursor: 'time', cursor_path: 't', time_format: 'iso-seconds' },
    } as const;
    const first = await poll(config);
    expect(first.records).toEqual(['{"n":1}', '{"n":2}']);
    const bodies = () => service.asked.map(({ body }) => JSON.parse(body) as unknown);
    const start = '2026-05-01T12:00:00Z';
    expect(bodies()).toEqual([
      { limit: 100, start },
      { limit: 100, start, cursor: 'c1' },
      { limit: 100, start, cursor: 'c2' },
    ]);
    expect(service.asked[0]?.headers.authorization).toBe('Bearer s3cret');
    expect((await poll(config, first.position)).records).toEqual(['{"n":3}']);
    expect(bodies().at(-1)).toMatchObject({ cursor: 'c2' });
  });

  it('[T-CONNECTORS] lead to no other host, whatever an answer says', async () => {
    service.answer(() => ({ body: { items: [], next: 'https://evil.example/steal' } }));
    const config = { records_path: 'items', pagination: 'next-link', next_path: 'next' } as const;
    await expect(poll(config)).rejects.toThrow('evil.example');
    service.answer(() => ({ status: 302, headers: { location: 'http://127.0.0.9/' } }));
    await expect(poll(config)).rejects.toThrow('status 302');
    expect(service.asked.length).toBe(2);
  });
});

describe('a poll', () => {
  it('[T-CONNECTORS] asks for one range after the other until it has caught up, and for what lies behind addresses', async () => {
    service.answer(({ url, headers, body }) => {
      if (url.pathname === '/token') {
        expect(new URLSearchParams(body).get('client_secret')).toBe('s3cret');
        return { body: { access_token: 'at-1', expires_in: 3_600 } };
      }
      expect(headers.authorization).toBe('Bearer at-1');
      if (url.pathname.startsWith('/blob/'))
        return { body: [{ blob: url.pathname.slice(6) }, { last: true }] };
      const contentUri = `${service.origin}/blob/${url.searchParams.get('startTime')}`;
      return { body: [{ contentUri, contentCreated: url.searchParams.get('startTime') }] };
    });
    const prepared = findConnectorKind('m365-general')?.config;
    const config = {
      ...prepared,
      url: `${service.origin}/content`,
      token_url: `${service.origin}/token`,
      client_id: 'c',
      first_days: 2,
    };
    const first = await poll(config);
    expect(first.records).toEqual(['{"blob":"2026-04-30T12:00:00Z"}', '{"last":true}']);
    expect(first.waitMs).toBe(0);
    const second = await poll(config, first.position);
    expect(second.records[0]).toBe('{"blob":"2026-05-01T10:55:00Z"}');
    const third = await poll(config, second.position);
    expect(third.waitMs).toBe(60_000);
  });

  it('[T-CONNECTORS] goes on behind the greatest value of a field, and reads CSV and lines', async () => {
    service.answer(({ url }) => ({
      body: Number(url.searchParams.get('after') ?? 0) < 10 ? 'id,text\n9,"a\nb"\n10,c\n' : 'id,text\n',
    }));
    const config = {
      format: 'csv',
      cursor: 'field',
      cursor_path: 'id',
      query: [{ name: 'after', value: '{since}' }],
    } as const;
    const first = await poll(config);
    expect(first.records).toEqual(['{"id":"9","text":"a\\nb"}', '{"id":"10","text":"c"}']);
    expect((await poll(config, first.position)).records).toEqual([]);
    expect(asked()).toEqual(['', '?after=10']);
    service.answer(() => ({ body: 'one\n\ntwo\r\n' }));
    expect((await poll({ format: 'lines' })).records).toEqual(['one', 'two']);
  });

  it('[T-CONNECTORS] says what is wrong with an answer', async () => {
    const fails = async (body: unknown, more: Readonly<Record<string, unknown>>, words: string) => {
      service.answer(() => ({ body }));
      await expect(poll(more)).rejects.toThrow(words);
    };
    await fails('<html>', {}, 'not JSON');
    await fails({ items: 5 }, { records_path: 'items' }, 'no list of records at "items"');
    await fails('{"items":[1', { records_path: 'items' }, 'JSON');
  });
});
