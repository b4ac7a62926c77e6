import { connect as connectTcp, type Socket } from 'node:net';
import { bindDeps } from '../bind-deps.ts';
import type { Logger } from '../log.ts';
import {
  type ConnectOptions,
  type Reached,
  type ResolveName,
  type Target,
  targetCheck,
} from './check-target.ts';
import { limitPerKey } from './limit-concurrency.ts';
import type { Network } from './network-list.ts';
import { OutgoingError, outgoingErrorIn } from './outgoing-error.ts';

// The only place from which the server connects to a host that a user has named: identity providers, directories, mail
// servers. A name is resolved once, every address it has is checked, and the connection goes to one of these addresses,
// so that a name that resolves otherwise the next time leads nowhere else.

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
   * that hosts which do not answer hold nobody else up. Why a connection failed is written to the log.
   */
  onBehalfOf<T>(orgId: string, work: () => Promise<T>): Promise<T>;
  /** No connection ever goes to this port of this machine, or of that host, whatever the operator lists. */
  keepOut(target: Target): void;
}

export interface OutgoingDeps {
  /** TYRIAN_OUTGOING_ALLOW. */
  readonly allow: readonly Network[];
  readonly log: Logger;
  /** The system's resolver when absent. */
  readonly resolveName?: ResolveName;
}

/** An address that does not answer leaves the others this time. */
const CONNECT_MS = 4_000;
/** Calls of one organization at the same time: sign-ins by its directory and provider, and tests of them. */
const MAX_PER_KEY = 16;

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

interface OutgoingParts extends OutgoingDeps {
  readonly told: WeakSet<OutgoingError>;
  readonly bounded: ReturnType<typeof limitPerKey>;
  readonly check: (target: Target, options: ConnectOptions) => Promise<readonly Reached[]>;
}

export function createOutgoing(deps: OutgoingDeps): Outgoing {
  const { allow, resolveName } = deps;
  const { check, keepOut } = targetCheck(allow, resolveName);
  const told = new WeakSet<OutgoingError>();
  const bounded = limitPerKey(MAX_PER_KEY);
  const parts: OutgoingParts = { ...deps, told, bounded, check };
  return {
    keepOut,
    onBehalfOf: (orgId, work) => onBehalfOf(parts, orgId, work),
    ...bindDeps(parts, { connect, addressFor }),
  };
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

async function logged<T>(parts: OutgoingParts, work: () => Promise<T>, more: object = {}): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failed = outgoingErrorIn(error);
    if (failed && !parts.told.has(failed)) {
      const { host, port, address, reason } = failed;
      parts.log.warn(
        { host, port, address, reason, ...more },
        'an outgoing connection was refused or failed',
      );
      parts.told.add(failed);
    }
    throw error;
  }
}

function onBehalfOf<T>(parts: OutgoingParts, orgId: string, work: () => Promise<T>): Promise<T> {
  return logged(parts, () => parts.bounded(orgId, work), { orgId });
}

function connect(
  parts: OutgoingParts,
  target: Target,
  options: ConnectOptions,
): Promise<{ readonly socket: Socket; readonly reached: Reached }> {
  return logged(parts, async () => open(await parts.check(target, options), options.signal));
}

function addressFor(parts: OutgoingParts, target: Target, options: ConnectOptions): Promise<Reached> {
  return logged(parts, async () => {
    const candidates = await parts.check(target, options);
    const [only, ...others] = candidates;
    if (only && others.length === 0) return only;
    const { socket, reached } = await open(candidates, options.signal);
    socket.destroy();
    return reached;
  });
}
