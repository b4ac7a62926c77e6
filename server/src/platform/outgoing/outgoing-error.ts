import { codedText, type MessageValues, type ServerMessage, say } from '@tyrian/contract';

/**
 * The one sentence for every target that was refused, did not answer, or did not speak the protocol asked for: whoever
 * may name a target must not learn from the answer which ports are open or what stands behind them.
 */
export const NOT_REACHED = say('outgoing.notReached').text;

interface Circumstances {
  readonly host: string;
  readonly port: number;
  /** The address that was tried or refused; empty when there was none yet. */
  readonly address?: string;
  /** For the log alone, never for whoever asked. */
  readonly reason: string;
}

/** A connection that was refused or failed. Its message is the neutral sentence; the reason is for the log. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly host: string;
  readonly port: number;
  readonly address: string;
  readonly reason: string;

  constructor({ host, port, address = '', reason }: Circumstances) {
    super(NOT_REACHED);
    this.host = host;
    this.port = port;
    this.address = address;
    this.reason = reason;
  }
}

/** The failed connection behind an error of a library, if there is one. */
export function outgoingErrorIn(error: unknown): OutgoingError | null {
  let at: unknown = error;
  for (let depth = 0; at instanceof Error && depth < 8; depth++) {
    if (at instanceof OutgoingError) return at;
    at = at.cause;
  }
  return null;
}

/** Errors of TLS about the certificate of a server that was reached; they help whoever sets the server up. */
const CERTIFICATE_CODES = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH)/;

/**
 * What is wrong with the certificate of a server that was reached; null for any other error. The names in the
 * certificate are not repeated.
 */
export function certificateProblem(error: unknown): ServerMessage | null {
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  return CERTIFICATE_CODES.test(code) ? say('outgoing.certificate', { problem: code }) : null;
}

/** What came of asking a server outside, for whoever tries it: its own words, or ours by code. */
export interface OutgoingAnswer {
  readonly answer: string;
  readonly messageCode?: string;
  readonly messageValues?: MessageValues;
}

export function outgoingAnswer(said: ServerMessage | string): OutgoingAnswer {
  if (typeof said === 'string') return { answer: said };
  const { message: answer, ...code } = codedText(said);
  return { answer, ...code };
}
