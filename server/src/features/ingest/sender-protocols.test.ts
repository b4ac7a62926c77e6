import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOfHeader } from './sender-request.ts';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

let setup: SenderSetup;

beforeAll(async () => {
  setup = await senderSetup();
});
afterAll(() => setup.close());

const WINDOWS = {
  EventID: 4688,
  Channel: 'Security',
  SourceName: 'Microsoft-Windows-Security-Auditing',
  TimeCreated: '2026-01-02T03:04:05.678Z',
  Hostname: 'WS1',
  NewProcessName: 'C:\\Windows\\System32\\cmd.exe',
  NewProcessId: '0x1f4',
  ProcessId: '0x64',
  CommandLine: 'cmd /c whoami',
  SubjectUserName: 'ada',
};

describe('HEC', () => {
  it('stores concatenated events, with what the envelope says', async () => {
    const body = `{"event":${JSON.stringify(WINDOWS)},"source":"wec-1","host":"x"}{"event":"plain words","time":1767225600.5,"host":"h9","sourcetype":"st","fields":{"team":"red"}}\n{"event":{"a":1}}`;
    const answer = await setup.post('/services/collector/event', body);
    expect(answer).toEqual({ status: 200, body: { text: 'Success', code: 0 } });
    const rows = await setup.rows(
      "SELECT Stream, EventID, DvcHostname, ProcessId, ParentProcessId, toString(TimeGenerated) FROM events WHERE SourceName = 'wec-1'",
    );
    expect(rows).toEqual([['ProcessEvent', 4688, 'WS1', 500, 100, '2026-01-02 03:04:05.678']]);
    const plain = await setup.rows(
      "SELECT Stream, ParseStatus, Message, toString(TimeGenerated), toString(Ext.team), Raw FROM events WHERE DvcHostname = 'h9'",
    );
    expect(plain).toEqual([
      ['Generic', 'NLF', 'plain words', '2026-01-01 00:00:00.500', 'red', 'plain words'],
    ]);
    expect(await setup.count()).toBe(3);
  });

  it('stores raw lines, gzip and arrays', async () => {
    const raw = await setup.post(
      '/services/collector/raw?host=raw-host&source=raw',
      gzipSync('one line\nanother line\n'),
      {
        'content-encoding': 'gzip',
      },
    );
    expect(raw.body).toEqual({ text: 'Success', code: 0 });
    expect(await setup.count("SourceName = 'raw' AND DvcHostname = 'raw-host'")).toBe(2);
    const list = await setup.post(
      '/services/collector',
      '[{"event":"l1","source":"list"},{"event":"l2","source":"list"}]',
    );
    expect(list.status).toBe(200);
    expect(await setup.count("SourceName = 'list'")).toBe(2);
  });

  it('answers with the codes of HEC', async () => {
    const none = await setup.test.ingestApp.inject({
      method: 'POST',
      url: '/services/collector',
      payload: '{}',
    });
    expect([none.statusCode, none.json()]).toEqual([401, { text: 'Token is required', code: 2 }]);
    const wrong = await setup.post('/services/collector', '{"event":1}', {
      authorization: 'Splunk tyr_notatokenatall',
    });
    expect([wrong.status, wrong.body]).toEqual([403, { text: 'Invalid token', code: 4 }]);
    const odd = await setup.post('/services/collector', '{"event":1}', { authorization: 'Digest x' });
    expect([odd.status, odd.body]).toEqual([401, { text: 'Invalid authorization', code: 3 }]);
    expect((await setup.post('/services/collector', '')).body).toEqual({ text: 'No data', code: 5 });
    const health = await setup.test.ingestApp.inject({ url: '/services/collector/health' });
    expect(health.json()).toEqual({ text: 'HEC is healthy', code: 17 });
    const basic = await setup.post('/services/collector', '{"event":"by basic"}', {
      authorization: `Basic ${Buffer.from(`x:${setup.token}`).toString('base64')}`,
    });
    expect(basic.status).toBe(200);
  });
});

describe('_bulk', () => {
  it('answers for each item and refuses what cannot be', async () => {
    const body = [
      '{"create":{"_index":"logs-x"}}',
      '{"@timestamp":"2026-01-05T00:00:00Z","message":"hello","bulk":"yes"}',
      '{"delete":{"_index":"logs-x","_id":"1"}}',
      '{"index":{}}',
      '{"bulk":"yes", broken',
      'no action',
      '{"update":{"_id":"1"}}',
      '{"doc":{}}',
    ].join('\n');
    const answer = await setup.post('/default-index/_bulk', `${body}\n`);
    expect(answer.status).toBe(200);
    const items = answer.body.items as Record<string, { status: number; _index: string }>[];
    expect(
      items.map((item) => Object.entries(item).map(([action, { status }]) => `${action} ${status}`)[0]),
    ).toEqual(['create 201', 'delete 400', 'index 201', 'index 400', 'update 400']);
    expect(items[2]?.index?._index).toBe('default-index');
    expect(answer.body.errors).toBe(true);
    expect(
      await setup.rows(
        'SELECT ParseStatus, Message FROM events WHERE Raw LIKE \'%"bulk":"yes"%\' ORDER BY Raw',
      ),
    ).toEqual([
      ['NLF', 'hello'],
      ['PER', ''],
    ]);
  });

  it('takes a token by itself for a token, also where it is base64 of a text with a colon', () => {
    expect(Buffer.from('tyr_AAA6AAAAAAAAAAAA', 'base64').includes(':')).toBe(true);
    expect(tokenOfHeader('ApiKey tyr_AAA6AAAAAAAAAAAA')).toBe('tyr_AAA6AAAAAAAAAAAA');
    const pair = Buffer.from('id:tyr_AAA6AAAAAAAAAAAA').toString('base64');
    expect(tokenOfHeader(`ApiKey ${pair}`)).toBe('tyr_AAA6AAAAAAAAAAAA');
  });

  it('answers the questions of Beats and their relatives', async () => {
    for (const url of ['/', '/_license', '/_cluster/health', '/_xpack', '/_nodes/http']) {
      const answer = await setup.test.ingestApp.inject({
        url,
        headers: { authorization: `ApiKey ${Buffer.from(`id:${setup.token}`).toString('base64')}` },
      });
      expect(answer.statusCode, url).toBe(200);
      expect(answer.headers['x-elastic-product']).toBe('Elasticsearch');
    }
  });
});

describe('NDJSON', () => {
  it('stores every line and says what it made of it', async () => {
    const lines = [
      '{"n":1}',
      'type=CWD msg=audit(1604994496.155:92733): cwd="/root"',
      '{"broken":',
      'words',
      '',
    ];
    const answer = await setup.post('/ingest/ndjson?source=lines', lines.join('\r\n'), {
      authorization: `Bearer ${setup.token}`,
    });
    expect(answer.body.data).toMatchObject({ received: 4, stored: 4, parse_error: 1, no_extractor: 2 });
    expect(await setup.count("SourceName = 'lines'")).toBe(4);
  });

  it('keeps a batch with a key once, and two equal batches without one twice', async () => {
    const send = (body: string, key?: string) =>
      setup.post('/ingest/ndjson?source=twice', body, key ? { 'idempotency-key': key } : {});
    expect((await send('heartbeat')).status).toBe(200);
    expect((await send('heartbeat')).status).toBe(200);
    expect(await setup.count("Raw = 'heartbeat'")).toBe(2);
    expect((await send('keyed', 'k1')).body.data).toMatchObject({ stored: 1, is_repeat: false });
    expect((await send('keyed', 'k1')).body.data).toMatchObject({ stored: 1, is_repeat: true });
    expect(await setup.count("Raw = 'keyed'")).toBe(1);
    expect((await send('other', 'k1')).status).toBe(409);
  });
});
