import { MESSAGES, type RefusalCode } from '@tyrian/contract';

// What a service throws when a call must be refused. `kind` decides HTTP status and envelope;
// the table is in http/answer-error.ts.

/** What the answer carries as its code; whatever is our own mistake becomes `internal`. */
export type AppErrorKind = Exclude<RefusalCode, 'internal'>;

/** A refusal with words for the caller. `details` travels in the envelope's `data`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly kind: AppErrorKind;
  readonly details: unknown;

  constructor(kind: AppErrorKind, message: string, details?: unknown) {
    super(message);
    this.kind = kind;
    this.details = details ?? null;
  }
}

/** The refusal for an object that is not there, or that belongs to somebody else: the two look alike. */
export function notFound(what: string = MESSAGES.notFound): AppError {
  return new AppError('not-found', what);
}

/** The refusal for a caller without the right. */
export function notAuthorised(): AppError {
  return new AppError('not-authorised', MESSAGES.notAuthorised);
}
