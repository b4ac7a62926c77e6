import { type ServerMessage, say, storedText } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { storableText } from '../../platform/postgres/storable.ts';
import { saidOf } from '../../platform/said-of-failure.ts';

/** What the other side has against us, or what it answered that cannot be used. */
export class ConnectorError extends Error {
  override readonly name = 'ConnectorError';
  readonly said: ServerMessage;
  /** Not before so many milliseconds; the other side has asked for it. */
  readonly retryAfterMs: number | null;
  /** Trying again soon would change nothing: a wrong password, an address that is not there. */
  readonly isLasting: boolean;

  constructor(
    said: ServerMessage,
    { retryAfterMs = null, isLasting = false }: { retryAfterMs?: number | null; isLasting?: boolean } = {},
  ) {
    super(said.text);
    this.said = said;
    this.retryAfterMs = retryAfterMs;
    this.isLasting = isLasting;
  }
}

const MOST_SHOWN = 200;
const MOST_STORED = 4_000;

/** The beginning of what the other side said, on one line. */
export const excerptOf = (text: string): string =>
  storableText(
    text
      .slice(0, MOST_SHOWN * 4)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, MOST_SHOWN),
  );

/** Why something failed, by code. */
export function saidOfConnector(error: unknown): ServerMessage {
  if (error instanceof ConnectorError || error instanceof AppError) return error.said;
  return saidOf(error, (reason) => say('connectors.failed', { reason }));
}

/** For a column. */
export function storedReason(error: unknown): string {
  const stored = storableText(storedText(saidOfConnector(error)));
  if (stored.length <= MOST_STORED) return stored;
  const reason = excerptOf(error instanceof Error ? error.message : String(error));
  return storedText(say('connectors.failed', { reason }));
}
