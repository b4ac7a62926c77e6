import { isIP, type Socket } from 'node:net';
import type { ServerMessage } from '@tyrian/contract';
import { Client, InvalidCredentialsError, ResultCodeError } from 'ldapts';
import type { Reached } from './check-target.ts';
import type { Outgoing } from './outgoing-connections.ts';
import { certificateProblem, OutgoingError } from './outgoing-error.ts';
import { watchSocket } from './watch-socket.ts';

// LDAP over checked outgoing connections. The client gets the checked address; the certificate is checked against the name.

export type LdapClient = Pick<Client, 'bind' | 'search'>;

export interface LdapTarget {
  readonly host: string;
  readonly port: number;
  readonly security: 'plain' | 'starttls' | 'ldaps';
  /** PEM; the system's authorities when empty. */
  readonly ca_certificate: string;
}

/** Each step: connection, bind, search. */
const STEP_MS = 5_000;
/** All of them. */
const WHOLE_MS = 15_000;
/** A search for one person answers a few hundred bytes. */
const MAX_BYTES = 1_048_576;

export const isWrongCredentials = (error: unknown): boolean => error instanceof InvalidCredentialsError;

/** What a directory that was reached has against us; its message says what. */
export class DirectoryAnswerError extends Error {
  override readonly name = 'DirectoryAnswerError';
  readonly said: ServerMessage | string;

  constructor(said: ServerMessage | string) {
    super(typeof said === 'string' ? said : said.text);
    this.said = said;
  }
}

/** A result code of LDAP in the directory's own words, or its certificate; null for everything else. */
function answerOfDirectory(error: unknown): ServerMessage | string | null {
  if (!(error instanceof ResultCodeError)) return certificateProblem(error);
  const { name, message } = error;
  return message.includes(name) ? message : `${name}: ${message}`;
}

function clientFor({ port, security }: LdapTarget, { address }: Reached, tlsOptions: object): Client {
  const host = isIP(address) === 6 ? `[${address}]` : address;
  return new Client({
    url: `${security === 'ldaps' ? 'ldaps' : 'ldap'}://${host}:${port}`,
    connectTimeout: STEP_MS,
    timeout: STEP_MS,
    ...(security === 'ldaps' ? { tlsOptions } : {}),
  });
}

/**
 * Runs `work` on a connection to a directory. What the directory itself has told becomes a DirectoryAnswerError, and
 * everything else, from a refused address to an answer that is no LDAP, an OutgoingError.
 */
export async function withLdap<T>(
  outgoing: Outgoing,
  target: LdapTarget,
  work: (client: LdapClient, reached: Reached) => Promise<T>,
): Promise<T> {
  const reached = await outgoing.addressFor(target, { signal: AbortSignal.timeout(STEP_MS) });
  const name = reached.host;
  const tlsOptions = {
    ...(target.ca_certificate ? { ca: target.ca_certificate } : {}),
    ...(isIP(name) === 0 ? { servername: name } : {}),
  };
  const client = clientFor(target, reached, tlsOptions);
  // The library keeps what it reads without a limit and hands its socket to nobody.
  const inside = client as unknown as { readonly socket?: Socket };
  const unwatch = watchSocket(() => inside.socket, { timeMs: WHOLE_MS, maxBytes: MAX_BYTES });
  try {
    // Over a connection that stands already the name to check has to be told: the certificate's is not enough.
    if (target.security === 'starttls') await client.startTLS({ ...tlsOptions, host: name });
    return await work(client, reached);
  } catch (error) {
    const answer = answerOfDirectory(error);
    if (answer !== null) throw new DirectoryAnswerError(answer);
    throw new OutgoingError({ ...reached, reason: error instanceof Error ? error.message : 'no answer' });
  } finally {
    await client.unbind().catch(() => undefined);
    unwatch();
  }
}
