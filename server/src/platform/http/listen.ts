import type { FastifyInstance } from 'fastify';
import { ConfigError } from '../config.ts';

export interface ListenAddress {
  readonly bind: string;
  readonly port: number;
  /** The variable that sets the port, named when it is taken. */
  readonly variable: string;
}

/** A clear sentence for a port that cannot be had; other errors pass. */
export function explainListenError(error: unknown, { bind, port, variable }: ListenAddress): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') {
    return new ConfigError(
      `Port ${port} on ${bind} is in use by another program. Set ${variable} to a free port (0 takes any).`,
    );
  }
  if (code === 'EACCES') {
    return new ConfigError(`Not allowed to listen on port ${port}. Set ${variable} to a port above 1023.`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ConfigError(`TYRIAN_BIND: ${bind} is not an address of this machine.`);
  }
  return error;
}

/** Listens; resolves with the port, which differs from the asked one when that was 0. */
export async function listen(app: FastifyInstance, address: ListenAddress): Promise<number> {
  try {
    await app.listen({ host: address.bind, port: address.port });
  } catch (error) {
    throw explainListenError(error, address);
  }
  const bound = app.server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : address.port;
}
