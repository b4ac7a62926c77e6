import { createServer } from 'node:net';

/** Given out before and perhaps not bound yet: two engines that start together must not get the same. */
const given = new Set<number>();

/** A TCP port of 127.0.0.1 that nobody holds at this moment, never the same twice in one process. */
export async function freePort(): Promise<number> {
  const port = await unboundPort();
  if (given.has(port)) return freePort();
  given.add(port);
  return port;
}

function unboundPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
