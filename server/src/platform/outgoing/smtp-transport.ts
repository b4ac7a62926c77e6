import { type ServerMessage, say } from '@tyrian/contract';
import nodemailer from 'nodemailer';
import type { Reached } from './check-target.ts';
import type { Outgoing } from './outgoing-connections.ts';
import { certificateProblem, outgoingErrorIn } from './outgoing-error.ts';
import { watchSocket } from './watch-socket.ts';

// SMTP over checked outgoing connections: the connection is made here, the mail library speaks over it.

export interface SmtpTarget {
  readonly host: string;
  readonly port: number;
  readonly security: 'none' | 'starttls' | 'tls';
  readonly verify_certificate: boolean;
  readonly user: string;
  readonly password: string;
}

const CONNECT_MS = 10_000;
const SEND_MS = 20_000;
const WHOLE_MS = 60_000;
/** What a mail server says to one mail. */
const MAX_BYTES = 262_144;

export type SmtpMail = Parameters<ReturnType<typeof nodemailer.createTransport>['sendMail']>[0];

/** Sends one mail over a connection of its own. Resolves with the server's answer and where it stands. */
export async function sendThroughSmtp(
  outgoing: Outgoing,
  target: SmtpTarget,
  mail: SmtpMail,
): Promise<{ readonly answer: string; readonly reached: Reached }> {
  const { socket, reached } = await outgoing.connect(target, { signal: AbortSignal.timeout(CONNECT_MS) });
  const unwatch = watchSocket(() => socket, { timeMs: WHOLE_MS, maxBytes: MAX_BYTES });
  const transport = nodemailer.createTransport({
    connection: socket,
    // For the certificate and for the log: the connection stands already.
    host: reached.host,
    port: reached.port,
    secure: target.security === 'tls',
    requireTLS: target.security === 'starttls',
    ignoreTLS: target.security === 'none',
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SEND_MS,
    tls: { rejectUnauthorized: target.verify_certificate },
    // A mail is made of the texts given and nothing else: no file and no address is read for it.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(target.user ? { auth: { user: target.user, pass: target.password } } : {}),
  });
  try {
    const { response } = await transport.sendMail(mail);
    return { answer: response, reached };
  } finally {
    unwatch();
    transport.close();
    socket.destroy();
  }
}

/**
 * What went wrong, with the mail server's own words where it said some. What was no answer of a mail server, such as
 * the greeting of another service, is not repeated.
 */
export function smtpReason(error: unknown): ServerMessage | string {
  const failed = outgoingErrorIn(error);
  if (failed) return say('outgoing.notReached');
  const { response, responseCode, message, code } = error as {
    response?: unknown;
    responseCode?: unknown;
    message?: unknown;
    code?: unknown;
  };
  if (typeof response === 'string' && typeof responseCode === 'number') return response;
  const isOurs = code === 'ETLS' || code === 'EENVELOPE' || code === 'EAUTH' || code === 'EMESSAGE';
  return certificateProblem(error) ?? (isOurs ? String(message) : say('outgoing.notReached'));
}
