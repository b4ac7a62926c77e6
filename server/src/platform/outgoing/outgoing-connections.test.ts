import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { selfSignedCertificate } from '../http/testing/self-signed-certificate.ts';
import { createLog } from '../log.ts';
import type { ResolveName } from './check-target.ts';
import { withLdap } from './ldap-connection.ts';
import { parseNetworks } from './network-list.ts';
import { createOutgoing } from './outgoing-connections.ts';
import { NOT_REACHED, OutgoingError } from './outgoing-error.ts';
import { requestOutgoing } from './outgoing-http.ts';
import { type CountingListener, countConnections, httpAnswer } from './testing/counting-listener.ts';

const log = createLog('silent');
const listeners: CountingListener[] = [];
const listener = async (...given: Parameters<typeof countConnections>) => {
  const made = await countConnections(...given);
  listeners.push(made);
  return made;
};
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((one) => one.close()));
});

/** A way out on which 127.0.0.2 is listed and 127.0.0.1 is not. */
const outgoing = (resolveName?: ResolveName, allow = '127.0.0.2') =>
  createOutgoing({ allow: parseNetworks(allow), log, ...(resolveName ? { resolveName } : {}) });
const ask = (way: ReturnType<typeof outgoing>, url: string, more: object = {}) =>
  requestOutgoing(way, { url, timeMs: 5_000, maxBytes: 10_000, redirects: 3, ...more });
const reasonOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (failed: unknown) => failed,
  );
  expect(error).toBeInstanceOf(OutgoingError);
  expect((error as OutgoingError).message).toBe(NOT_REACHED);
  return (error as OutgoingError).reason;
};

/** The same port on an address that is listed and on one that is not. */
async function twoSides(answer: (socket: Socket) => void) {
  const closed = await listener(httpAnswer('200 OK', 'secret'));
  const open = await listener(answer, { host: '127.0.0.2', port: closed.port });
  return { closed, open };
}

describe('names', () => {
  it('[S02] a name that resolves otherwise the second time leads to the first, checked address only', async () => {
    const { closed, open } = await twoSides(httpAnswer('200 OK', 'the provider'));
    const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1']];
    let asked = 0;
    const way = outgoing(async () => answers[asked++] ?? []);
    const answer = await ask(way, `http://idp.example:${closed.port}/metadata`);
    expect(Buffer.from(answer.body).toString()).toBe('the provider');
    expect(answer.reached).toEqual([{ host: 'idp.example', port: closed.port, address: '127.0.0.2' }]);
    expect(asked).toBe(1);
    expect(await reasonOf(ask(way, `http://idp.example:${closed.port}/`))).toBe('the address is not open');
    expect([open.connections(), closed.connections()]).toEqual([1, 0]);
  });

  it('[S02] one closed address among several closes the name', async () => {
    const { closed, open } = await twoSides(httpAnswer('200 OK'));
    const way = outgoing(async () => ['127.0.0.2', '127.0.0.1']);
    await reasonOf(ask(way, `http://idp.example:${closed.port}/`));
    expect([open.connections(), closed.connections()]).toEqual([0, 0]);
  });

  it('goes on to the next address when one does not answer', async () => {
    const open = await listener(httpAnswer('200 OK', 'here'), { host: '127.0.0.2' });
    const way = outgoing(async () => ['127.0.0.3', '127.0.0.2'], '127.0.0.0/8');
    const answer = await ask(way, `http://idp.example:${open.port}/`);
    expect(answer.reached[0]?.address).toBe('127.0.0.2');
    const target = { host: 'idp.example', port: open.port };
    const found = await way.addressFor(target, { signal: AbortSignal.timeout(5_000) });
    expect(found.address).toBe('127.0.0.2');
  });

  it.each([
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    'fe80::1%lo',
    'a b',
    'idp.example/x',
    '',
  ])('[S02] the host %j is no name, whatever is listed', async (host) => {
    const way = outgoing(undefined, '0.0.0.0/0,::/0');
    await reasonOf(way.addressFor({ host, port: 389 }, { signal: AbortSignal.timeout(5_000) }));
  });

  it('[S10] the ports of this platform are closed on this machine, whatever is listed', async () => {
    const engine = await listener(httpAnswer('200 OK'));
    const way = outgoing(async () => ['127.0.0.1'], '0.0.0.0/0,::/0');
    const target = { host: '127.0.0.1', port: engine.port };
    const signal = AbortSignal.timeout(5_000);
    (await way.connect(target, { signal })).socket.destroy();
    way.keepOut({ host: '127.0.0.1', port: engine.port });
    for (const host of [
      '127.0.0.1',
      '127.0.0.9',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      'engine.example',
      'localhost',
    ]) {
      expect(await reasonOf(way.connect({ ...target, host }, { signal })), host).toBe(
        'a port of this platform',
      );
    }
    expect(engine.connections()).toBe(1);
  });
});

it('[S02] hosts that do not answer hold up the organization that names them, and no other', async () => {
  const way = outgoing();
  const ends: (() => void)[] = [];
  const waits = () => new Promise<void>((resolve) => ends.push(resolve));
  const running = Array.from({ length: 16 }, () => way.onBehalfOf('a', waits));
  await expect(way.onBehalfOf('a', waits)).rejects.toMatchObject({ kind: 'too-many' });
  expect(await way.onBehalfOf('b', async () => 'goes on')).toBe('goes on');
  for (const end of ends) end();
  await Promise.all(running);
  expect(await way.onBehalfOf('a', async () => 'goes on')).toBe('goes on');
});

describe('HTTP', () => {
  it('[S02] checks where a redirect leads, and follows three at most', async () => {
    const closed = await listener(httpAnswer('200 OK', 'secret'));
    for (const location of [
      `http://127.0.0.1:${closed.port}/`,
      `//127.0.0.1:${closed.port}/`,
      'file:///etc/passwd',
      'http://[::1]/',
      'http://user:word@127.0.0.2/',
      'gopher://127.0.0.2/',
    ]) {
      const open = await listener(httpAnswer(`302 Found\r\nlocation: ${location}`), { host: '127.0.0.2' });
      await reasonOf(ask(outgoing(), `http://127.0.0.2:${open.port}/`));
      expect(open.connections(), location).toBe(1);
    }
    expect(closed.connections()).toBe(0);
    const loop = await listener(httpAnswer('302 Found\r\nlocation: /again'), { host: '127.0.0.2' });
    expect(await reasonOf(ask(outgoing(), `http://127.0.0.2:${loop.port}/`))).toBe('too many redirects');
    expect(loop.connections()).toBe(4);
  });

  it('[S02] answers a redirect instead of following it where nobody asked for that', async () => {
    const open = await listener(httpAnswer('302 Found\r\nlocation: /again'), { host: '127.0.0.2' });
    const answer = await ask(outgoing(), `http://127.0.0.2:${open.port}/`, { redirects: undefined });
    expect([answer.status, open.connections()]).toEqual([302, 1]);
  });

  const flood = (head: string, piece: Buffer) => (socket: Socket) => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 ${head}\r\n\r\n`);
      const more = () => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on('drain', more);
      more();
    });
  };

  it.each([
    ['an endless body', flood('200 OK', Buffer.alloc(16_384, 'x')), 'the body is too large'],
    ['a body that says it is large', httpAnswer('200 OK', 'x'.repeat(20_000)), 'the body is too large'],
    [
      'a compressed body',
      (socket: Socket) => {
        const body = gzipSync(Buffer.alloc(50_000_000));
        socket.once('data', () => {
          socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
          socket.end(body);
        });
      },
      'a compressed body that nobody asked for',
    ],
  ])('[S02] %s is cut', async (_what, answer, reason) => {
    const open = await listener(answer, { host: '127.0.0.2' });
    expect(await reasonOf(ask(outgoing(), `http://127.0.0.2:${open.port}/`))).toBe(reason);
  });

  it('[S02] a header without an end is cut', async () => {
    const endless = (socket: Socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}`));
    };
    const open = await listener(endless, { host: '127.0.0.2' });
    expect(await reasonOf(ask(outgoing(), `http://127.0.0.2:${open.port}/`))).toMatch(/Header overflow/);
  });

  it.each([
    ['says nothing', () => undefined],
    [
      'never ends its header',
      (socket: Socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nx: y')),
    ],
    [
      'drips its body',
      (socket: Socket) => {
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
        const drip = setInterval(() => socket.write('x'), 20);
        socket.once('close', () => clearInterval(drip));
      },
    ],
  ])('[S02] a server that %s is left when the time of the call ends', async (_what, answer) => {
    const open = await listener((socket) => void answer(socket), { host: '127.0.0.2' });
    expect(await reasonOf(ask(outgoing(), `http://127.0.0.2:${open.port}/`, { timeMs: 300 }))).toBe(
      'took too long',
    );
  });

  it('[S02] plain HTTP goes to listed networks alone, and to no port of another protocol', async () => {
    const way = outgoing(async () => ['93.184.215.14']);
    expect(await reasonOf(ask(way, 'http://idp.example/'))).toBe('without TLS only to listed networks');
    expect(await reasonOf(ask(way, 'https://idp.example:25/'))).toBe('a port of another protocol');
    expect(await reasonOf(ask(way, 'ftp://idp.example/'))).toBe('neither https nor http');
    expect(await reasonOf(ask(way, 'https://user:word@idp.example/'))).toBe('a password in the address');
  });
});

describe('HTTPS', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-outgoing-'));
  const { cert, key } = selfSignedCertificate(folder, 'idp.example');
  const names: (string | undefined)[] = [];
  const server = https.createServer(
    {
      cert: readFileSync(cert),
      key: readFileSync(key),
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    },
    (request, response) => response.end(`hello ${request.headers.host}`),
  );
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await new Promise<void>((resolve) => server.close(() => resolve()));
    rmSync(folder, { recursive: true, force: true });
  });

  it('asks for the name and refuses a certificate that nobody vouches for', async () => {
    const way = outgoing(async () => ['127.0.0.1'], '127.0.0.0/8');
    expect(await reasonOf(ask(way, `https://idp.example:${port}/`))).toMatch(/self.signed/);
    expect(names).toEqual(['idp.example']);
  });

  it('reads from the checked address when the certificate is that of the name', async () => {
    const child = fileURLToPath(new URL('./testing/ask-over-tls-child.mjs', import.meta.url));
    const urls = ['idp.example', '127.0.0.1', 'other.example'].map((host) => `https://${host}:${port}/`);
    const asked = spawn(process.execPath, ['--import', 'tsx', child, ...urls], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: cert },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    for await (const part of asked.stdout) said += String(part);
    const lines = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual([
      { status: 200, body: `hello idp.example:${port}` },
      { status: 200, body: `hello 127.0.0.1:${port}` },
      { refused: NOT_REACHED, reason: expect.stringMatching(/altnames/) },
    ]);
  });
});

describe('LDAP', () => {
  it('[S02] a directory that sends without end is left', async () => {
    const endless = (socket: Socket) => {
      socket.once('data', () => {
        // A message of 2 GB (BER), of which as much comes as is taken.
        socket.write(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]));
        const piece = Buffer.alloc(65_536, 0x02);
        const more = () => {
          while (!socket.destroyed && socket.write(piece));
        };
        socket.on('drain', more);
        more();
      });
    };
    const open = await listener(endless, { host: '127.0.0.2' });
    const target = { host: '127.0.0.2', port: open.port, security: 'plain', ca_certificate: '' } as const;
    // Closed by us: the time of the step, which would end it too, is not over.
    const reason = await reasonOf(withLdap(outgoing(), target, (client) => client.bind('cn=a', 'b')));
    expect(reason).toMatch(/^Connection closed before message response/);
  });
});
