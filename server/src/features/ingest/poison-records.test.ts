import dgram from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { importCommand } from '../../cli/import-command.ts';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// A record that is made to end whoever reads it: nested 100,000 levels deep. It must be stored as text, and cost no
// other record, request, sender or tenant anything.

const DEPTH = 100_000;
const DEEP = {
  arrays: `{"poison":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`,
  objects: `{"poison":${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}}`,
} as const;
const SHAPES = Object.keys(DEEP) as (keyof typeof DEEP)[];

let setup: SenderSetup;
let url: string;
let folder: string;
let tokenOfB: string;

beforeAll(async () => {
  setup = await senderSetup();
  await setup.feature.work.start();
  url = await setup.test.ingestApp.listen({ host: '127.0.0.1', port: 0 });
  folder = mkdtempSync(path.join(tmpdir(), 'tyrian-poison-'));
  const { clusterId, scope: scopeId } = setup.company.b;
  const make = { clusterId, scopeId, name: 'b', kind: 'http', networks: [], by: null } as const;
  tokenOfB = (await setup.feature.sources.create(make)).token ?? '';
  await setup.giveNetworks('127.0.0.0/8');
  const { clusterId: a, scope } = setup.company.a;
  await setup.feature.sources.create({
    clusterId: a,
    scopeId: scope,
    name: 'syslog',
    kind: 'syslog',
    networks: ['127.0.0.0/8'],
    by: null,
  });
});
afterAll(async () => {
  await setup.close();
  rmSync(folder, { recursive: true, force: true });
});

const bearer = () => ({ authorization: `Bearer ${setup.token}` });

const MOST_TRIES = 10;

/** Sends a batch of tenant B, again when the server has no room for it just now, as senders do. */
async function sendOfOther(lines: string): Promise<{ readonly status: number }> {
  for (let tries = 1; ; tries += 1) {
    const answer = await setup.post('/ingest/ndjson', lines, { authorization: `Bearer ${tokenOfB}` });
    if (answer.status !== 503 || tries === MOST_TRIES) return answer;
  }
}

/** Batches of tenant B, sent while `act` runs, are all taken. */
async function whileOtherTenantSends<T>(act: () => Promise<T>): Promise<T> {
  const lines = Array.from({ length: 200 }, (_, n) => `{"of_b":${n}}`).join('\n');
  const others = Array.from({ length: 6 }, (_, n) => sendOfOther(`${lines}\n{"batch":${n}}`));
  const result = await act();
  for (const answer of await Promise.all(others)) expect(answer.status).toBe(200);
  return result;
}

/** One deep record of this source stands as text and marked; the good ones beside it are there. */
async function expectStored(good: string, source: string, goodOnes: number): Promise<void> {
  const isDeep = "has(Ext.IngestMarks.:`Array(Nullable(String))`, 'too-deep')";
  const where = `SourceName = '${source}' AND ParseStatus = 'PER' AND ${isDeep}`;
  await expect.poll(() => setup.count(where), { timeout: 20_000 }).toBe(1);
  expect(
    await setup.rows(
      `SELECT ParseError LIKE '%64 levels', position(Raw, 'poison') > 0 FROM events WHERE ${where}`,
    ),
  ).toEqual([[1, 1]]);
  await expect.poll(() => setup.count(good), { timeout: 20_000 }).toBe(goodOnes);
}

describe.each(SHAPES)('[S06] 100,000 %s deep', (shape) => {
  const deep = DEEP[shape];
  const goods = (way: string) => `Message LIKE 'good ${way} ${shape}%'`;
  const good = (way: string, n: number) => `{"Message":"good ${way} ${shape} ${n}"}`;

  it('[S06] NDJSON: is stored as text, and so are the lines beside it and the next request', async () => {
    const source = `nd-${shape}`;
    const answer = await whileOtherTenantSends(() =>
      setup.post(
        `/ingest/ndjson?source=${source}`,
        [good('nd', 1), deep, good('nd', 2)].join('\n'),
        bearer(),
      ),
    );
    expect(answer).toMatchObject({ status: 200, body: { data: { received: 3, stored: 3, 'too-deep': 1 } } });
    expect((await setup.post('/ingest/ndjson', good('nd', 3), bearer())).status).toBe(200);
    await expectStored(goods('nd'), source, 3);
    expect(
      await setup.rows(
        `SELECT length(Raw) FROM events WHERE SourceName = '${source}' AND ParseStatus = 'PER'`,
      ),
    ).toEqual([[deep.length]]);
  });

  it('[S06] HEC: is stored as text with what its envelope says', async () => {
    const source = `hec-${shape}`;
    const envelope = (event: string) =>
      `{"source":"${source}","host":"h1","time":1767225600,"event":${event}}`;
    const body = [envelope(good('hec', 1)), envelope(deep), envelope(good('hec', 2))].join('\n');
    const answer = await whileOtherTenantSends(() => setup.post('/services/collector', body));
    expect(answer).toMatchObject({ status: 200, body: { code: 0 } });
    await expectStored(goods('hec'), source, 2);
    expect(
      await setup.rows(
        `SELECT DvcHostname, toUnixTimestamp(TimeGenerated), length(Raw) FROM events WHERE SourceName = '${source}' AND ParseStatus = 'PER'`,
      ),
    ).toEqual([['h1', 1767225600, deep.length]]);
    const inFields = `{"source":"${source}-f","fields":${deep},"event":{"Message":"good fields ${shape}"}}`;
    expect((await setup.post('/services/collector', inFields)).status).toBe(200);
    expect(await setup.count(`Raw LIKE '%good fields ${shape}%' AND ParseStatus = 'PER'`)).toBe(1);
  });

  it('[S06] _bulk: is stored as text; a deep action line costs its own item only', async () => {
    const action = '{"create":{}}';
    const body = [
      action,
      good('bulk', 1),
      action,
      deep.replace('{', `{"of":"bulk-${shape}",`),
      deep,
      action,
      good('bulk', 2),
      '',
    ].join('\n');
    const answer = await whileOtherTenantSends(() => setup.post('/_bulk', body));
    expect(answer.status).toBe(200);
    const items = answer.body.items as { create?: { status: number }; index?: { status: number } }[];
    expect(items.map((item) => (item.create ?? item.index)?.status)).toEqual([201, 201, 400, 201]);
    await expect.poll(() => setup.count(goods('bulk'))).toBe(2);
    expect(await setup.count(`ParseStatus = 'PER' AND position(Raw, 'bulk-${shape}') > 0`)).toBe(1);
  });

  it('[S06] file: `tyrian import` stores it as text, as lines and in one document', async () => {
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      for (const [name, text] of [
        [`${shape}.ndjson`, [good('file', 1), deep, good('file', 2)].join('\n')],
        [`${shape}.json`, `[${good('file', 3)},\n${deep},\n${good('file', 4)}]`],
      ] as const) {
        writeFileSync(path.join(folder, name), text);
        const args = [path.join(folder, name), '--token', setup.token, '--url', url];
        await whileOtherTenantSends(() => importCommand.run({ args, env: {} }));
      }
    } finally {
      printed.mockRestore();
    }
    await expectStored(goods('file'), `${shape}.ndjson`, 4);
    await expectStored(goods('file'), `${shape}.json`, 4);
  });

  it('[S06] syslog: is stored as text over TCP and UDP, and what its sender says next is stored', async () => {
    const { tcp, udp } = setup.feature.work.ports().syslog;
    const socket = net.connect(tcp, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`<14>1 - t-${shape} a - - - ${good('tcp', 1)}\n<14>1 - t-${shape} a - - - ${deep}\n`);
    socket.end(`<14>1 - t-${shape} a - - - ${good('tcp', 2)}\n`);
    const datagrams = dgram.createSocket('udp4');
    const send = (text: string) =>
      new Promise<void>((resolve) => datagrams.send(text, udp, '127.0.0.1', () => resolve()));
    // As much as a datagram holds.
    await send(`<14>1 - u-${shape} a - - - ${deep.slice(0, 60_000)}`);
    await send(`<14>1 - u-${shape} a - - - ${good('udp', 1)}`);
    datagrams.close();
    await expect.poll(() => setup.count(goods('tcp')), { timeout: 20_000 }).toBe(2);
    await expect.poll(() => setup.count(goods('udp')), { timeout: 20_000 }).toBe(1);
    for (const host of [`t-${shape}`, `u-${shape}`])
      expect(await setup.count(`DvcHostname = '${host}' AND ParseStatus = 'PER'`)).toBe(1);
  });
});

it('[S06] counts each poisoned record on its source', async () => {
  await expect
    .poll(async () => (await setup.counts())['too-deep'], { timeout: 10_000 })
    .toBeGreaterThanOrEqual(8);
});

it('[S06] no record can write into the records of others', async () => {
  const poison = '{"__proto__.stolen":"yes","constructor.prototype.stolen":"yes"}';
  expect((await setup.post('/ingest/ndjson?source=proto', poison, bearer())).status).toBe(200);
  expect((await setup.post('/ingest/ndjson?source=proto', '{"Message":"after"}', bearer())).status).toBe(200);
  expect(
    await setup.count("SourceName = 'proto' AND Raw LIKE '%after%' AND toString(Ext) LIKE '%stolen%'"),
  ).toBe(0);
});

it('[S06] the server stops while a syslog sender is in the middle of a poisoned message', async () => {
  const socket = net.connect(setup.feature.work.ports().syslog.tcp, '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) =>
    socket.write(`<14>1 - end a - - - ${DEEP.objects}\n<14>half`, () => resolve()),
  );
  await setup.feature.work.stop();
  expect(setup.feature.work.ports().syslog.udp).toBe(0);
});
