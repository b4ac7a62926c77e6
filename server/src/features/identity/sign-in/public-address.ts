import type { Config } from '../../../platform/config.ts';

// Where people reach the console, for links in mails and for passkeys. Never taken from a request: its Host header
// is whatever the sender wrote.

/** Origin of the console, e.g. `https://console.example.org`. */
export function publicOrigin(config: Pick<Config, 'publicUrl' | 'bind' | 'port' | 'tls'>): string {
  if (config.publicUrl) return new URL(config.publicUrl).origin;
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(config.bind);
  const host = isLocal ? 'localhost' : config.bind.includes(':') ? `[${config.bind}]` : config.bind;
  return `${config.tls ? 'https' : 'http'}://${host}:${config.port}`;
}

/** Origin of the port of senders, under the same name as the console. */
export function senderOrigin(
  config: Parameters<typeof publicOrigin>[0] & Pick<Config, 'ingestPort'>,
): string {
  const { hostname } = new URL(publicOrigin(config));
  return `${config.tls ? 'https' : 'http'}://${hostname}:${config.ingestPort}`;
}

/** The address of a page of the console, e.g. `/auth/set-password/x`. */
export function pageAddress(config: Parameters<typeof publicOrigin>[0], path: string): string {
  const base = (config.publicUrl ?? publicOrigin(config)).replace(/\/+$/, '');
  return `${base}/#${path}`;
}

/**
 * The one origin under which browsers make and use passkeys here: a host name, over HTTPS or on the machine itself.
 * Null when the configured address is neither.
 */
export function passkeyOrigin(config: Parameters<typeof publicOrigin>[0]): string | null {
  const origin = publicOrigin(config);
  const { hostname, protocol } = new URL(origin);
  if (hostname === 'localhost') return origin;
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return protocol === 'https:' && !isAddress ? origin : null;
}
