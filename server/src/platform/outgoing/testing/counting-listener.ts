import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export interface CountingListener {
  readonly port: number;
  /** Connections that came, whatever they sent. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** A listener that counts who connects, and then does what it is told with the connection. */
export async function countConnections(
  answer: (socket: Socket) => void,
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<CountingListener> {
  let connections = 0;
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => open.delete(socket));
    answer(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Answers every request with the same text, as HTTP goes. */
export function httpAnswer(head: string, body = ''): (socket: Socket) => void {
  return (socket) => {
    socket.once('data', () =>
      socket.end(`HTTP/1.1 ${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
    );
  };
}
