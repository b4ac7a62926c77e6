import { z } from 'zod';

// Every call answers `{status, message, data}`; the HTTP status agrees with `status`.

export const ENVELOPE_STATUSES = ['success', 'failed', 'invalid', 'error'] as const;
export type EnvelopeStatus = (typeof ENVELOPE_STATUSES)[number];

/** The body of an answer. `invalid`: the session is gone; `failed`: refused; `error`: went wrong. */
export interface Envelope<T> {
  readonly status: EnvelopeStatus;
  readonly message: string;
  readonly data: T;
}

/** The schema of the envelope around `data`. */
export function envelopeOf<T extends z.ZodType>(data: T) {
  return z.object({ status: z.enum(ENVELOPE_STATUSES), message: z.string(), data });
}

/** The words that the specification gives to refusals; the console acts on them. */
export const MESSAGES = {
  invalidSession: 'Invalid',
  userInvalid: 'User Invalid',
  notAuthorised: 'user not authorised',
  notFound: 'not found',
  agreementsDue: 'the licence agreement and the privacy policy must be accepted first, in the console',
} as const;
