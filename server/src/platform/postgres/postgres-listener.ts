import pg from 'pg';
import type { Logger } from '../log.ts';

export type NotificationHandler = (payload: string) => void;

interface ListenerOptions {
  readonly url: string;
  readonly log: Logger;
  readonly channel: string;
  readonly handler: NotificationHandler;
}

const RECONNECT_MS = 1_000;

/**
 * Listens on a channel over a connection of its own and connects again when that is lost. Notifications sent
 * while it is down are not repeated, so a handler treats them as hints and a slow poll stands behind it.
 */
export async function openListener(options: ListenerOptions): Promise<() => Promise<void>> {
  const { url, log, channel, handler } = options;
  let stopped = false;
  let current: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const again = () => {
    if (stopped || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      connect().catch(again);
    }, RECONNECT_MS);
    timer.unref();
  };

  async function connect(): Promise<void> {
    const client = new pg.Client({ connectionString: url, application_name: `tyrian listen ${channel}` });
    client.on('error', (error) => {
      log.debug({ err: error.message, channel }, 'listener lost its connection');
      again();
    });
    client.on('end', again);
    client.on('notification', (message) => handler(message.payload ?? ''));
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    current = client;
  }

  await connect();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await current?.end();
  };
}
