import type { Server, Socket } from 'node:net';

export interface ConnectionLimits {
  /** Open connections in all. */
  readonly most: number;
  /** Open connections of one address. */
  readonly perAddress: number;
  /** Called for each connection that is closed because there are too many. */
  readonly onRefused?: (address: string) => void;
}

/** Closes connections of a server beyond the limits as soon as they are made, before anything is read from them. */
export function limitConnections(server: Server, { most, perAddress, onRefused }: ConnectionLimits): void {
  const open = new Map<string, number>();
  let all = 0;
  const leave = (address: string): void => {
    all -= 1;
    const left = (open.get(address) ?? 1) - 1;
    if (left > 0) open.set(address, left);
    else open.delete(address);
  };
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const own = open.get(address) ?? 0;
    if (all >= most || own >= perAddress) {
      socket.destroy();
      onRefused?.(address.replace(/^::ffff:(?=\d+\.)/, ''));
      return;
    }
    all += 1;
    open.set(address, own + 1);
    socket.once('close', () => leave(address));
  });
}
