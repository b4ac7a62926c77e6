import { lookup } from 'node:dns/promises';
import { BlockList, connect as connectTcp, isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { AppError } from '../app-error.ts';
import type { Logger } from '../log.ts';
import { addressRules, type Network } from './network-list.ts';
import { OutgoingError } from './outgoing-error.ts';

// The only place from which the server connects to a host that a user has named: identity providers, directories, mail
// servers. A name is resolved once, every address it has is checked, and the connection goes to one of these addresses,
// so that a name that resolves otherwise the next time leads nowhere else.

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

export interface Outgoing {
  /** Connects to the first address of the target that answers. Throws OutgoingError. */
  connect(
    target: Target,
    options: ConnectOptions,
  ): Promise<{ readonly socket: Socket; readonly reached: Reached }>;
  /**
   * An address that a connection may go to, for libraries that open it themselves. One of several was tried before.
   * Throws OutgoingError.
   */
  addressFor(target: Target, options: ConnectOptions): Promise<Reached>;
  /**
   * Runs work that connects for an organization. Throws AppError `too-many` when as much as one may have runs already, so
   * that hosts which do not answer hold nobody else up.
   */
  onBehalfOf<T>(orgId: string, work: () => Promise<T>): Promise<T>;
  /** No connection ever goes to this port of this machine, or of that host, whatever the operator lists. */
  keepOut(target: Target): void;
}

export type ResolveName = (name: string) => Promise<readonly string[]>;

export interface OutgoingDeps {
  /** TYRIAN_OUTGOING_ALLOW. */
  readonly allow: readonly Network[];
  readonly log: Logger;
  /** The system's resolver when absent. */
  readonly resolveName?: ResolveName;
}

const MOST_ADDRESSES = 8;
/** An address that does not answer leaves the others this time. */
const CONNECT_MS = 4_000;
/** Calls of one organization at the same time: sign-ins by its directory and provider, and tests of them. */
const MOST_OF_ONE = 16;
/** The system's resolver blocks one of four threads each; half of them stay free for files and passwords. */
const LOOKUPS_AT_ONCE = 2;
const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_-]{1,63})*\.?$/i;
/** 127.1, 2130706433, 0x7f.1: resolvers read them as addresses, so they are no names. */
const NUMERIC = /(^|\.)(0x[0-9a-f]*|\d+)\.?$/i;

const systemLookup: ResolveName = async (name) =>
  (await lookup(name, { all: true, verbatim: false })).map(({ address }) => address);

/** Runs a few at a time; the others wait in the order in which they came. */
function takingTurns(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Refuses what is too much for one asker instead of letting it wait. */
function boundedPerAsker(most: number) {
  const running = new Map<string, number>();
  return async <T>(asker: string, work: () => Promise<T>): Promise<T> => {
    const before = running.get(asker) ?? 0;
    if (before >= most) {
      throw new AppError(
        'too-many',
        'too many connections of this organization wait for an answer: try again soon',
      );
    }
    running.set(asker, before + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(asker) ?? 1) - 1;
      if (left === 0) running.delete(asker);
      else running.set(asker, left);
    }
  };
}

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

function openSocket(reached: Reached, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: reached.address, port: reached.port });
    const fail = (error: Error) => {
      socket.destroy();
      signal.removeEventListener('abort', late);
      reject(error);
    };
    const late = () => fail(new Error('took too long'));
    signal.addEventListener('abort', late, { once: true });
    socket.setTimeout(CONNECT_MS, late);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      socket.removeListener('error', fail);
      signal.removeEventListener('abort', late);
      // Whoever uses the socket listens too; an error between two owners must not end the process.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** The host of a target as names are compared: lower case, no brackets, no dot at its end. */
function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

export function createOutgoing({ allow, log, resolveName = systemLookup }: OutgoingDeps): Outgoing {
  const rules = addressRules(allow);
  const inTurn = takingTurns(LOOKUPS_AT_ONCE);
  const keptOut: Target[] = [];

  async function addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    if (!NAME.test(host) || NUMERIC.test(host)) throw new Error('neither a name nor a plain address');
    const found = await until(
      signal,
      inTurn(async () => (signal.aborted ? [] : resolveName(host))),
    );
    if (found.length === 0) throw new Error('the name has no address');
    return [...new Set(found)].slice(0, MOST_ADDRESSES);
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

  async function checked(target: Target, options: ConnectOptions): Promise<readonly Reached[]> {
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

  async function open(candidates: readonly Reached[], signal: AbortSignal) {
    let last: unknown;
    for (const reached of candidates) {
      if (signal.aborted) break;
      try {
        return { socket: await openSocket(reached, signal), reached };
      } catch (error) {
        last = error;
      }
    }
    const [first] = candidates;
    const reason = last instanceof Error ? last.message : 'took too long';
    throw new OutgoingError({
      host: first?.host ?? '',
      port: first?.port ?? 0,
      address: first?.address ?? '',
      reason,
    });
  }

  async function logged<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof OutgoingError) {
        const { host, port, address, reason } = error;
        log.warn({ host, port, address, reason }, 'an outgoing connection was refused or failed');
      }
      throw error;
    }
  }

  return {
    onBehalfOf: boundedPerAsker(MOST_OF_ONE),
    keepOut: ({ host, port }) => {
      keptOut.push({ host: plainHost(host), port });
    },
    connect: (target, options) => logged(async () => open(await checked(target, options), options.signal)),
    addressFor: (target, options) =>
      logged(async () => {
        const candidates = await checked(target, options);
        const [only, ...others] = candidates;
        if (only && others.length === 0) return only;
        const { socket, reached } = await open(candidates, options.signal);
        socket.destroy();
        return reached;
      }),
  };
}
