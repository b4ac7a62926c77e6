import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Where an engine listens. On Linux all of 127.0.0.0/8 is the machine itself, so an engine takes an address in it by
// chance: who tries the ports of 127.0.0.1, as a web page in a browser on this machine can, finds no engine. Processes
// of this machine can still look the address up; what keeps them out is the password.

export interface LoopbackAddress {
  /** IPv4, in 127.0.0.0/8. */
  readonly host: string;
  readonly port: number;
}

/** Given out before and perhaps not bound yet: two engines that start together must not get the same. */
const given = new Set<string>();

/** An address of 127.0.0.0/8 by chance; 127.0.0.1 where the system has only that. */
function anyHost(): string {
  if (process.platform !== 'linux') return '127.0.0.1';
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** A loopback address and port that nobody holds at this moment, never the same twice in one process. */
export async function freeLoopbackAddress(): Promise<LoopbackAddress> {
  const host = anyHost();
  const address = await unbound(host).catch(() => unbound('127.0.0.1'));
  const text = `${address.host}:${address.port}`;
  if (given.has(text)) return freeLoopbackAddress();
  given.add(text);
  return address;
}

/** Another port of an address that nobody holds at this moment. */
export async function anotherPort({ host }: LoopbackAddress): Promise<number> {
  const { port } = await unbound(host);
  const text = `${host}:${port}`;
  if (given.has(text)) return anotherPort({ host, port });
  given.add(text);
  return port;
}

function unbound(host: string): Promise<LoopbackAddress> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve({ host, port }));
    });
  });
}
