import { BlockList, isIP, SocketAddress } from 'node:net';
import { type ServerMessage, say } from '@tyrian/contract';
import type { FastifyRequest } from 'fastify';
import type { Logger } from '../log.ts';

// Whose word counts for where a request comes from. A proxy in front of the server names its client in
// X-Forwarded-For; anybody else who sends this header is lying or misconfigured, so it is read from the addresses of
// TYRIAN_TRUSTED_PROXIES alone. RFC 7239's Forwarded is never read: two headers that may disagree are a way to lie.

const WRONG =
  'must be addresses or networks in CIDR notation, separated by commas, such as 10.0.0.5,fd00::/64';
const EVERYBODY = 'a network of every address would believe everybody: name the proxies';

/** Checked addresses and networks of TYRIAN_TRUSTED_PROXIES. Throws Error in words for whoever sets it. */
export function parseTrustedProxies(text: string): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  for (const entry of entries) {
    const [address = '', prefix, ...rest] = entry.split('/');
    const family = isIP(address);
    const bits = family === 4 ? 32 : 128;
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    if (family === 0 || address.includes('%') || !isPrefix || rest.length > 0) {
      throw new Error(`${WRONG}; found: ${entry}`);
    }
    if (prefix !== undefined && Number(prefix) === 0) throw new Error(`${EVERYBODY}; found: ${entry}`);
  }
  return entries;
}

/** An address in its one spelling, without zone or port and with IPv4 inside IPv6 unpacked; null when it is none. */
function plainAddress(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](?::\d{1,5})?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1')
    .replace(/%.*$/, '');
  if (isIP(bare) === 4) return bare;
  if (isIP(bare) === 0) return null;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
}

/**
 * What limits count as one address: an IPv4 address, or the 64 bits of an IPv6 address that one customer gets (RFC 6177),
 * since the other 64 are free to choose.
 */
export function networkOf(text: string): string {
  const address = plainAddress(text) ?? text;
  if (isIP(address) !== 6) return address;
  const [front = '', back] = address.split('::');
  const left = front === '' ? [] : front.split(':');
  const right = back === undefined || back === '' ? [] : back.split(':');
  const gap = back === undefined ? 0 : 8 - left.length - right.length;
  return `${[...left, ...Array<string>(gap).fill('0'), ...right].slice(0, 4).join(':')}::/64`;
}

export interface ProxyTrust {
  /** Whether the word of this address counts. */
  readonly isTrusted: (address: string) => boolean;
  /** Leaves in the headers only what a trusted proxy vouches for; to be called before anything reads the address. */
  readonly clean: (request: FastifyRequest) => void;
  /** What administrators should know: that a proxy is in front and not named. Null when there is nothing. */
  readonly notice: () => ServerMessage | null;
}

const NOT_NAMED = say('components.proxyNotNamed');

/** The entries of X-Forwarded-For from the right, up to the first that no trusted proxy vouches for. */
function vouchedFor(header: string, isTrusted: (address: string) => boolean): string[] {
  const vouched: string[] = [];
  for (const entry of header.split(',').reverse()) {
    const address = plainAddress(entry);
    // What is no address ends the chain: then the proxy that passed it on stands for its client.
    if (address === null) break;
    vouched.unshift(address);
    if (!isTrusted(address)) break;
  }
  return vouched;
}

/** The trust of one process, for all its HTTP ports. */
export function createProxyTrust(proxies: readonly string[], log: Logger): ProxyTrust {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  let isMissing = false;
  const isTrusted = (text: string): boolean => {
    const address = plainAddress(text);
    return address !== null && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  };
  return {
    isTrusted,
    clean: ({ raw }) => {
      const { headers } = raw;
      // The name under which people reach the console is TYRIAN_PUBLIC_URL and no header.
      delete headers['x-forwarded-host'];
      const said = headers['x-forwarded-for'];
      if (said !== undefined && proxies.length === 0 && !isMissing) {
        isMissing = true;
        log.warn({ peer: raw.socket.remoteAddress }, NOT_NAMED.text);
      }
      if (said === undefined || proxies.length === 0) return;
      const vouched = vouchedFor(String(said), isTrusted);
      if (vouched.length > 0) headers['x-forwarded-for'] = vouched.join(', ');
      else delete headers['x-forwarded-for'];
      const scheme = String(headers['x-forwarded-proto'] ?? '')
        .split(',')
        .at(-1)
        ?.trim();
      if (scheme !== 'http' && scheme !== 'https') delete headers['x-forwarded-proto'];
    },
    notice: () => (isMissing ? NOT_NAMED : null),
  };
}
