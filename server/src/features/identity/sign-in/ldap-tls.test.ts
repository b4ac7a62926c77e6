import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSignedCertificate } from '../../../platform/http/testing/self-signed-certificate.ts';
import { createLog } from '../../../platform/log.ts';
import { parseNetworks } from '../../../platform/outgoing/network-list.ts';
import { createOutgoing } from '../../../platform/outgoing/outgoing-connections.ts';
import { directoryTakes, type StoredDirectory, tryDirectory } from './ldap-directory.ts';
import { BASE, makeDirectory, PASSWORD, SERVICE } from './testing/directory-server.ts';

// The directory behind TLS from the first byte (ldaps) and behind STARTTLS, each with a certificate made here. What
// crosses the wire in the clear is kept, so that a password in it is seen.

const outgoing = createOutgoing({ allow: parseNetworks('127.0.0.0/8'), log: createLog('silent') });
const EMAIL = 'ann@harbour.example';
const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-ldap-'));
const { cert, key, pem } = selfSignedCertificate(folder);
const secure = { cert: readFileSync(cert), key: readFileSync(key) };
const directory = makeDirectory({ Ann: EMAIL });
let inTheClear = '';
let answersStartTls = true;

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
const listening = (server: { listen(port: number, host: string, done: () => void): unknown }) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));

const upstream = (socket: net.Socket) => {
  const inner = net.connect({ port: portOf(directory as never), host: '127.0.0.1' });
  socket.pipe(inner).pipe(socket);
  for (const one of [socket, inner]) one.on('error', () => inner.destroy());
};
const ldaps = tls.createServer(secure, upstream);
ldaps.on('tlsClientError', () => undefined);

/** Answers the extended request of STARTTLS (RFC 4511, 4.14) and goes on under TLS. */
const starttls = net.createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (first: Buffer) => {
    inTheClear += first.toString('latin1');
    const code = answersStartTls ? 0 : 52;
    socket.write(
      Buffer.from([0x30, 0x0c, 0x02, 0x01, first[4] ?? 1, 0x78, 0x07, 0x0a, 0x01, code, 4, 0, 4, 0]),
    );
    if (!answersStartTls) {
      socket.on('data', (more: Buffer) => {
        inTheClear += more.toString('latin1');
      });
      return;
    }
    const shielded = new tls.TLSSocket(socket, { ...secure, isServer: true });
    upstream(shielded);
  });
});

beforeAll(async () => {
  await listening(directory);
  await listening(ldaps);
  await listening(starttls);
});
afterAll(async () => {
  for (const server of [ldaps, starttls, directory]) {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
  rmSync(folder, { recursive: true, force: true });
});

const at = (security: 'ldaps' | 'starttls', ca_certificate = pem): StoredDirectory => ({
  host: '127.0.0.1',
  port: portOf(security === 'ldaps' ? ldaps : starttls),
  security,
  ca_certificate,
  base_dn: BASE,
  user_filter: '(mail={email})',
  bind_dn: SERVICE.dn,
  bindPassword: SERVICE.password,
});

describe('a directory behind TLS', () => {
  it.each(['ldaps', 'starttls'] as const)(
    '[S4-18] by %s takes the right password and no other',
    async (how) => {
      expect(await directoryTakes(outgoing, at(how), EMAIL, PASSWORD)).toBe(true);
      expect(await directoryTakes(outgoing, at(how), EMAIL, 'wrong')).toBe(false);
      expect(await directoryTakes(outgoing, at(how), 'nobody@harbour.example', PASSWORD)).toBe(false);
      expect(inTheClear).not.toContain(PASSWORD);
      expect(inTheClear).not.toContain(SERVICE.password);
    },
  );

  it.each(['ldaps', 'starttls'] as const)(
    'by %s is not asked when its certificate is not known',
    async (how) => {
      await expect(directoryTakes(outgoing, at(how, ''), EMAIL, PASSWORD)).rejects.toMatchObject({
        kind: 'unavailable',
      });
      expect((await tryDirectory(outgoing, at(how, ''), EMAIL)).answer).toMatch(/self.signed/i);
    },
  );

  it('by STARTTLS gets no password when it will not go on under TLS', async () => {
    answersStartTls = false;
    inTheClear = '';
    await expect(directoryTakes(outgoing, at('starttls'), EMAIL, PASSWORD)).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(inTheClear).not.toContain(SERVICE.password);
    expect(inTheClear).not.toContain(PASSWORD);
    answersStartTls = true;
  });
});
