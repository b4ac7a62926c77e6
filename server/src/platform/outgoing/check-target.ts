import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { limitConcurrency } from './limit-concurrency.ts';
import { addressRules, type Network } from './network-list.ts';
import { OutgoingError } from './outgoing-error.ts';

// From a host that somebody has named to the addresses that may be connected to: resolved once, each one checked.

export interface Target {
  /** A name or an IP address, IPv6 with or without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Where a connection went. */
export interface Reached extends Target {
  readonly address: string;
}

export interface ConnectOptions {
  /** Ends the attempt, the look-up of the name included. */
  readonly signal: AbortSignal;
  /** Only addresses that the operator has listed: for protocols without TLS. */
  readonly onlyListed?: boolean;
}

export type ResolveName = (name: string) => Promise<readonly string[]>;

const MAX_ADDRESSES = 8;
/** The system's resolver blocks one of four threads each; half of them stay free for files and passwords. */
const LOOKUPS_AT_ONCE = 2;
const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_-]{1,63})*\.?$/i;
/** 127.1, 2130706433, 0x7f.1: resolvers read them as addresses, so they are no names. */
const NUMERIC = /(^|\.)(0x[0-9a-f]*|\d+)\.?$/i;

const systemLookup: ResolveName = async (name) =>
  (await lookup(name, { all: true, verbatim: false })).map(({ address }) => address);

/** Rejects when the signal aborts; the work itself may go on. */
function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('took too long'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Loopback and every address of this machine's network cards. */
function ownAddresses(): BlockList {
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8, 'ipv4');
  own.addSubnet('0.0.0.0', 8, 'ipv4');
  own.addSubnet('::', 127, 'ipv6');
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((list) => list ?? [])) {
    own.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  return own;
}

/** The host of a target as names are compared: lower case, no brackets, no dot at its end. */
function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

export interface TargetCheck {
  /** The addresses of a target, all of them open. Throws OutgoingError when one is not, or there is none. */
  check(target: Target, options: ConnectOptions): Promise<readonly Reached[]>;
  /** Closes a port of this machine, or of another host, whatever is listed. */
  keepOut(target: Target): void;
}

export function targetCheck(allow: readonly Network[], resolveName: ResolveName = systemLookup): TargetCheck {
  const rules = addressRules(allow);
  const inTurn = limitConcurrency(LOOKUPS_AT_ONCE);
  const keptOut: Target[] = [];

  async function addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    if (!NAME.test(host) || NUMERIC.test(host)) throw new Error('neither a name nor a plain address');
    const found = await until(
      signal,
      inTurn(async () => (signal.aborted ? [] : resolveName(host))),
    );
    if (found.length === 0) throw new Error('the name has no address');
    return [...new Set(found)].slice(0, MAX_ADDRESSES);
  }

  /** A port of ours: this machine's, or that of an engine elsewhere. */
  async function isKeptOut(address: string, port: number): Promise<boolean> {
    const same = keptOut.filter((one) => one.port === port);
    if (same.length === 0) return false;
    if (ownAddresses().check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) return true;
    for (const { host } of same) {
      const theirs = isIP(host) === 0 ? await resolveName(host).catch(() => []) : [host];
      if (theirs.includes(address)) return true;
    }
    return false;
  }

  async function check(target: Target, options: ConnectOptions): Promise<readonly Reached[]> {
    const host = plainHost(target.host);
    const { port } = target;
    const refuse = (reason: string, address = '') => {
      throw new OutgoingError({ host, port, address, reason });
    };
    const addresses = await addressesOf(host, options.signal).catch((error: Error) => refuse(error.message));
    for (const address of addresses) {
      if (!rules.isOpen(address)) refuse('the address is not open', address);
      if (options.onlyListed && !rules.isListed(address))
        refuse('without TLS only to listed networks', address);
      if (await isKeptOut(address, port)) refuse('a port of this platform', address);
    }
    return addresses.map((address) => ({ host, port, address }));
  }

  return {
    check,
    keepOut: ({ host, port }) => {
      keptOut.push({ host: plainHost(host), port });
    },
  };
}
