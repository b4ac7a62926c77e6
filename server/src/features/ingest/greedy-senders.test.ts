import net from 'node:net';
import { setScopeStatus } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpApp } from '../../platform/http/create-http-app.ts';
import { type IngestFeature, ingestFeature } from './ingest-feature.ts';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// Senders that take more than their share: bodies without a right token, bodies that never end, too many connections,
// too many bytes at once. Nobody else's sender may notice.

const MIB = 1024 * 1024;
const BIG = 62_000_000;
const REQUEST_MS = 1_500;

let setup: SenderSetup;
let feature: IngestFeature;
let app: FastifyInstance;
let port: number;
let tokenOfB: string;
const accepted = new Set<net.Socket>();
const refusedConnections: string[] = [];

beforeAll(async () => {
  setup = await senderSetup();
  feature = ingestFeature(setup.test.platform, {
    audit: setup.company.identity.audit,
    limits: { bodyBytes: 12 * MIB, tenantBodyBytes: 4 * MIB },
  });
  app = await createHttpApp({
    ...setup.test.ingestApp.platform,
    perMinute: 1_000_000,
    times: { headersMs: REQUEST_MS, requestMs: REQUEST_MS, checkMs: 200 },
    connections: { most: 80, perAddress: 60, onRefused: (address) => refusedConnections.push(address) },
  });
  app.server.on('connection', (socket: net.Socket) => accepted.add(socket));
  await feature.senders.register(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as net.AddressInfo).port;
  const { clusterId, scope: scopeId } = setup.company.b;
  const made = await feature.sources.create({
    clusterId,
    scopeId,
    name: 'b',
    kind: 'http',
    networks: [],
    by: null,
  });
  tokenOfB = made.token ?? '';
});
afterAll(async () => {
  await app.close();
  await feature.work.stop();
  await setup.close();
});

const head = (path: string, token: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Splunk ${token}\r\n${more}\r\n\r\n`;
const lengthOf = (bytes: number) => `Content-Length: ${bytes}`;
const PATHS = ['/ingest/ndjson', '/_bulk', '/services/collector'];

interface Client {
  readonly socket: net.Socket;
  /** Resolves with all that came back once the connection is closed. */
  readonly closed: Promise<string>;
  /** Resolves with what came back so far once there is something. */
  readonly answered: Promise<string>;
}

function open(): Client {
  const socket = net.connect(port, '127.0.0.1');
  let text = '';
  let heard: (text: string) => void = () => undefined;
  const answered = new Promise<string>((resolve) => {
    heard = resolve;
  });
  socket.on('data', (chunk) => {
    text += chunk.toString();
    heard(text);
  });
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  return { socket, closed, answered };
}

/** Writes the body as fast as the server takes it, until it is done or the connection ends. */
function pour(socket: net.Socket, bytes: number): void {
  const piece = Buffer.alloc(64 * 1024, 0x20);
  let left = bytes;
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= piece.length;
      if (!socket.write(piece)) {
        socket.once('drain', more);
        return;
      }
    }
  };
  more();
}

const goodBatch = (token: string) =>
  fetch(`http://127.0.0.1:${port}/ingest/ndjson`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: '{"served":1}',
  });

it('[S11] answers 45 large bodies with a wrong token before it reads them', async () => {
  accepted.clear();
  const clients = Array.from({ length: 45 }, (_, n) => {
    const client = open();
    client.socket.write(head(PATHS[n % 3] ?? '', 'tyr_wrongwrongwrongwrong', lengthOf(BIG)));
    pour(client.socket, BIG - 1);
    return client;
  });
  const answers = await Promise.all(clients.map(({ closed }) => closed));
  const codes = answers.map((answer) => Number(answer.slice(9, 12)));
  expect(codes.map((code, n) => [n % 3, code])).toEqual(
    Array.from({ length: 45 }, (_, n) => [n % 3, n % 3 === 2 ? 403 : 401]),
  );
  for (const answer of answers) expect(answer.toLowerCase()).toContain('connection: close');
  const read = [...accepted].reduce((sum, socket) => sum + socket.bytesRead, 0);
  // What was in flight when the answer went out, not the 2.8 GB that were announced.
  expect(read).toBeLessThan(45 * MIB);
  expect((await goodBatch(setup.token)).status).toBe(200);
});

it('[S11] a small body with a wrong token gets its answer, and the connection goes on', async () => {
  const { socket, answered } = open();
  socket.write(`${head('/ingest/ndjson', 'tyr_wrongwrongwrongwrong', lengthOf(5))}12345`);
  expect(await answered).toMatch(/^HTTP\/1.1 401 .*keep-alive/s);
  socket.destroy();
});

it('[S11] ends a body and a head that are dripped', async () => {
  const body = open();
  body.socket.write(`${head('/ingest/ndjson', setup.token, lengthOf(1_000))}{"dripped":1}\n`);
  const header = open();
  header.socket.write('POST /ingest/ndjson HTTP/1.1\r\nHost: x\r\nX-A: ');
  const drip = setInterval(() => {
    for (const { socket } of [body, header]) if (!socket.destroyed) socket.write('x');
  }, 100);
  try {
    for (const answer of await Promise.all([body.closed, header.closed]))
      expect(answer).toMatch(/^(HTTP\/1.1 408|$)/);
  } finally {
    clearInterval(drip);
  }
  expect(await setup.count("Raw LIKE '%dripped%'")).toBe(0);
});

it('[S11] a tenant with too many bytes under way gets 503; the sender of another tenant is served', async () => {
  // Announced with a length, and in pieces without one.
  const held = Array.from({ length: 3 }, () => open());
  for (const { socket } of held) {
    socket.write(head('/ingest/ndjson', setup.token, lengthOf(MIB)));
    socket.write('{"held":1}\n');
  }
  const pieces = open();
  pieces.socket.write(head('/ingest/ndjson', setup.token, 'Transfer-Encoding: chunked'));
  const piece = 'x'.repeat(64 * 1024);
  for (let n = 0; n < 20; n += 1) pieces.socket.write(`10000\r\n${piece}\r\n`);
  expect(await pieces.answered).toMatch(/^HTTP\/1.1 503 .*retry-after: 5/is);
  const fourth = open();
  fourth.socket.write(head('/ingest/ndjson', setup.token, lengthOf(MIB)));
  const fifth = open();
  await expect
    .poll(() => feature.sources.flush().then(setup.counts), { timeout: 5_000 })
    .toHaveProperty('refused_busy');
  fifth.socket.write(head('/services/collector', setup.token, lengthOf(2 * MIB)));
  expect(await fifth.answered).toMatch(/^HTTP\/1.1 503 .*"code":9/s);
  expect((await goodBatch(tokenOfB)).status).toBe(200);
  for (const { socket } of [...held, pieces, fourth, fifth]) socket.destroy();
  // What they held is given back.
  await expect.poll(async () => (await goodBatch(setup.token)).status, { timeout: 5_000 }).toBe(200);
  expect((await feature.sources.flush().then(setup.counts)).refused_busy).toBeGreaterThanOrEqual(2);
});

it('[S11] closes connections beyond the cap of an address, and takes new ones when others end', async () => {
  const many = Array.from({ length: 70 }, () => open());
  await expect.poll(() => refusedConnections.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(10);
  expect(new Set(refusedConnections)).toEqual(new Set(['127.0.0.1']));
  for (const { socket } of many) socket.destroy();
  await Promise.all(many.map(({ closed }) => closed));
  await expect
    .poll(
      () =>
        goodBatch(setup.token).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 5_000 },
    )
    .toBe(200);
});

it('[S15] a disabled scope takes nothing in, and every protocol says so', async () => {
  const { clusterId, scope } = setup.company.a;
  const ssid = await setup.company.signIn('tenantAdmin');
  const set = (is_enabled: boolean) =>
    setup.test.call(setScopeStatus, { ssid, params: { clusterId, scopeId: scope }, input: { is_enabled } });
  expect((await goodBatch(setup.token)).status).toBe(200);
  const before = await setup.count();
  expect((await set(false)).http).toBe(200);
  setup.test.platform.clock.advance(5_001);
  const answers = await Promise.all(
    PATHS.map(async (path) => {
      const body = '{"create":{}}\n{"event":{"disabled":1}}\n';
      const { status, body: said } = await setup.post(path, body);
      return [status, JSON.stringify(said)] as const;
    }),
  );
  expect(answers.map(([status]) => status)).toEqual([403, 403, 403]);
  expect(answers[0]?.[1]).toContain('the scope of this token is disabled');
  expect(answers[1]?.[1]).toContain('security_exception');
  expect(answers[2]?.[1]).toContain('"code":1');
  expect((await goodBatch(setup.token)).status).toBe(403);
  expect(await setup.count()).toBe(before);
  expect((await set(true)).http).toBe(200);
  setup.test.platform.clock.advance(5_001);
  expect((await goodBatch(setup.token)).status).toBe(200);
  await expect
    .poll(async () => (await setup.counts())['refused_scope-disabled'], { timeout: 5_000 })
    .toBeGreaterThanOrEqual(3);
});
