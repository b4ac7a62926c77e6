import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// What senders get wrong. Each mistake has its answer, is counted, and costs no other event.

let setup: SenderSetup;
let port: number;

beforeAll(async () => {
  setup = await senderSetup();
  await setup.test.ingestApp.listen({ host: '127.0.0.1', port: 0 });
  port = (setup.test.ingestApp.server.address() as net.AddressInfo).port;
});
afterAll(() => setup.close());

const bearer = () => ({ authorization: `Bearer ${setup.token}` });

describe('malformed JSON', () => {
  it('HEC: answers 400 with the position, stores the rest, and the broken text as such; a repetition stores nothing', async () => {
    const body =
      '{"event":{"hec":1}}\n{"event":{"hec":2}\n{"event":{"hec":3}}{"event":"x","hec":"4"}\nnonsense\n{"nothing":1}\n{"event":""}\n{"event":{"hec":5}}';
    const answer = await setup.post('/services/collector', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 6, 'invalid-event-number': 1 });
    expect(await setup.count("Ext.hec.:Int64 IN (1, 3, 5) AND ParseStatus = 'NLF'")).toBe(3);
    const broken = await setup.rows("SELECT Raw FROM events WHERE ParseStatus = 'PER' ORDER BY Raw");
    expect(broken.flat()).toEqual(['nonsense', '{"event":""}', '{"event":{"hec":2}', '{"nothing":1}']);
    const before = await setup.count();
    expect((await setup.post('/services/collector', body)).status).toBe(400);
    expect(await setup.count()).toBe(before);
    expect(await setup.counts()).toMatchObject({
      'malformed-body': 2,
      'event-missing': 1,
      'event-blank': 1,
      repeated_batch: 1,
    });
  });

  it('HEC: names a missing and a blank event', async () => {
    expect((await setup.post('/services/collector', '{"time":1}')).body).toMatchObject({ code: 12 });
    expect((await setup.post('/services/collector', '{"event":""}')).body).toMatchObject({ code: 13 });
  });

  it('NDJSON: stores the broken line, marked', async () => {
    const answer = await setup.post('/ingest/ndjson?source=nd', '{"a":1}\n{"a":\n{"a":3}', bearer());
    expect(answer.body.data).toMatchObject({ received: 3, stored: 3, parse_error: 1 });
    expect(
      await setup.rows(
        "SELECT ParseError LIKE 'not valid JSON%', Raw FROM events WHERE SourceName = 'nd' AND ParseStatus = 'PER'",
      ),
    ).toEqual([[1, '{"a":']]);
  });
});

it('keeps the head of a 20 MB line and everything around it', async () => {
  const long = `{"big":"${'x'.repeat(20 * 1024 * 1024)}"}`;
  const answer = await setup.post(
    '/ingest/ndjson?source=long',
    `{"near":1}\n${long}\n{"near":2}\n`,
    bearer(),
  );
  expect(answer.body.data).toMatchObject({ received: 3, stored: 3, truncated: 1, parse_error: 1 });
  expect(
    await setup.rows(
      "SELECT length(Raw), toString(Ext.IngestedOfChars), ParseStatus FROM events WHERE SourceName = 'long' AND ParseStatus = 'PER'",
    ),
  ).toEqual([[1024 * 1024, String(long.length), 'PER']]);
  expect(await setup.count("SourceName = 'long' AND Ext.near.:Int64 > 0")).toBe(2);
});

it('stores invalid UTF-8 with replacements and a mark', async () => {
  const body = Buffer.concat([
    Buffer.from('{"utf":"good"}\n{"utf":"bad '),
    Buffer.from([0xff, 0xfe, 0xc3]),
    Buffer.from('"}\n{"utf":"fine é"}\n'),
  ]);
  const answer = await setup.post('/ingest/ndjson?source=utf', body, bearer());
  expect(answer.body.data).toMatchObject({ stored: 3, 'invalid-utf8': 1 });
  expect(
    await setup.rows(
      "SELECT Raw FROM events WHERE SourceName = 'utf' AND has(Ext.IngestMarks.:`Array(Nullable(String))`, 'invalid-utf8')",
    ),
  ).toEqual([['{"utf":"bad ���"}']]);
});

it('refuses a gzip bomb and what only claims to be gzip', async () => {
  const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024, 0x61));
  expect(bomb.length).toBeLessThan(400_000);
  const gzip = { ...bearer(), 'content-encoding': 'gzip' };
  expect((await setup.post('/ingest/ndjson', bomb, gzip)).status).toBe(413);
  expect((await setup.post('/services/collector', bomb, gzip)).body).toMatchObject({ code: 27 });
  expect((await setup.post('/ingest/ndjson', 'not gzip', gzip)).status).toBe(400);
  expect((await setup.post('/_bulk', gzipSync('{"create":{}}\n{}\n').subarray(0, 20), gzip)).status).toBe(
    400,
  );
  expect((await setup.post('/ingest/ndjson', 'x', { ...bearer(), 'content-encoding': 'br' })).status).toBe(
    415,
  );
  expect(await setup.counts()).toMatchObject({ 'refused_too-large': 2, 'refused_not-gzip': 2 });
});

it('gives an event from the future the time of arrival, and keeps what the device said', async () => {
  const answer = await setup.post(
    '/ingest/ndjson?source=clock',
    '{"clock":1,"timestamp":"2099-01-01T00:00:00Z"}\n{"clock":2}\n{"clock":3,"timestamp":"2020-01-01T00:00:00Z"}',
    bearer(),
  );
  expect(answer.body.data).toMatchObject({ stored: 3, 'future-time': 1, 'no-time': 1 });
  const rows = await setup.rows(
    "SELECT Ext.clock.:Int64 AS c, TimeGenerated = IngestedTime, toString(Ext.DeviceTime) FROM events WHERE SourceName = 'clock' ORDER BY c",
  );
  expect(rows.map(([c, now, said]) => [c, Boolean(now), said])).toEqual([
    [1, true, '2099-01-01T00:00:00.000Z'],
    [2, true, ''],
    [3, false, ''],
  ]);
});

it('refuses wrong tokens on every protocol and counts them', async () => {
  const wrong = { authorization: 'Bearer tyr_wrongwrongwrongwrong' };
  expect((await setup.post('/ingest/ndjson', 'x', wrong)).status).toBe(401);
  expect((await setup.post('/_bulk', 'x', wrong)).status).toBe(401);
  expect((await setup.post('/services/collector', 'x', wrong)).status).toBe(403);
  const company = setup.company;
  const other = await setup.feature.sources.create({
    clusterId: company.b.clusterId,
    scopeId: company.b.scope,
    name: 'short',
    kind: 'http',
    networks: [],
    by: null,
  });
  const before = await setup.count();
  const good = { authorization: `Bearer ${other.token}` };
  expect((await setup.post('/ingest/ndjson', '{"tenant":"b"}', good)).status).toBe(200);
  expect(await setup.count()).toBe(before);
  await setup.feature.sources.revoke(company.b.clusterId, company.b.scope, other.source.source_id, null, '');
  setup.test.platform.clock.advance(6_000);
  expect((await setup.post('/ingest/ndjson', 'x', good)).status).toBe(401);
});

/** Sends the bytes and closes; answers what came back. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', () => undefined);
    socket.end(text);
  });
}

it('stores nothing of a body that is cut off midway, and counts it', async () => {
  const before = await setup.count();
  const head = (more: string) =>
    `POST /ingest/ndjson HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${setup.token}\r\n${more}\r\n\r\n`;
  await sendRaw(`${head('Content-Length: 1000')}{"cut":1}\n{"cut":2}\n`);
  await sendRaw(`${head('Transfer-Encoding: chunked')}14\r\n{"cut":1}\n{"cut":2}\n\r\n14\r\n{"cu`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await setup.count()).toBe(before);
  expect((await setup.counts())['refused_body-cut-off']).toBe(2);
});

it('refuses a body that is too large', async () => {
  const answer = await sendRaw(
    `POST /services/collector HTTP/1.1\r\nHost: x\r\nAuthorization: Splunk ${setup.token}\r\nContent-Length: 99999999\r\n\r\n{}`,
  );
  expect(answer).toContain('413');
});

it('stores odd JSON: empty names, dotted names beside nested ones, deep nesting, lone surrogates, huge numbers', async () => {
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  const lines = [
    '{"":1,"a.b":1,"a":{"b":2,"":{"":3}}}',
    '{"a":1,"a.b":2,"a.b.c":3,".":4,"..x":5,"x..y":6,"z.":7}',
    `{"deep":${deep}}`,
    `{"d":${'{"d":'.repeat(300)}1${'}'.repeat(300)}}`,
    '{"s":"\\ud800 half","t":"\\udc00\\ud800","k\\ud800":1}',
    '{"n":12345678901234567890,"e":1e400,"z":-0,"m":-9223372036854775808}',
    '{"mix":[1,"a",{"b":[{"c":1},{"c":"x"}]},null,[]],"o":{},"l":[]}',
    '{"nul":"a\\u0000b","k\\u0000":1}',
    '{"TimeGenerated":"x","Scope":"other","Stream":"Signals","EventUid":"y","Raw":"z","Ext":{"q":1},"ParseStatus":"PAD"}',
    '"just a string"',
    '[1,2]',
    '{"__proto__":{"x":1},"constructor":1}',
  ];
  const answer = await setup.post('/ingest/ndjson?source=odd', lines.join('\n'), bearer());
  expect(answer.body.data).toMatchObject({ received: lines.length, stored: lines.length });
  expect(await setup.count("SourceName = 'odd'")).toBe(lines.length);
  expect(await setup.count("SourceName = 'odd' AND Stream = 'Signals'")).toBe(0);
  expect(
    await setup.rows("SELECT toString(Ext.n) FROM events WHERE SourceName = 'odd' AND Ext.n IS NOT NULL"),
  ).toEqual([['12345678901234567890']]);
});
