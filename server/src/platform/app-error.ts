import { type RefusalCode, type ServerMessage, say } from '@tyrian/contract';

// What a service throws when a call must be refused. `kind` decides HTTP status and envelope;
// the table is in http/answer-error.ts.

/** What the answer carries as its code; whatever is our own mistake becomes `internal`. */
export type AppErrorKind = Exclude<RefusalCode, 'internal'>;

/** A refusal with words for the caller, by their code. `details` travels in the envelope's `data`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly kind: AppErrorKind;
  readonly said: ServerMessage;
  readonly details: unknown;

  constructor(kind: AppErrorKind, said: ServerMessage, details?: unknown) {
    super(said.text);
    this.kind = kind;
    this.said = said;
    this.details = details ?? null;
  }
}

/** The refusal for an object that is not there, or that belongs to somebody else: the two look alike. */
export function notFound(said: ServerMessage = say('session.notFound')): AppError {
  return new AppError('not-found', said);
}

/** The refusal for a caller without the right. */
export function notAuthorised(): AppError {
  return new AppError('not-authorised', say('session.notAuthorised'));
}
