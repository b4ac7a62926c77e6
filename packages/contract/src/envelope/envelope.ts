import { z } from 'zod';
import { type MessageValues, messageFields } from '../messages/message-values.ts';

// Every call answers `{status, message, data}`; the HTTP status agrees with `status`.

export const ENVELOPE_STATUSES = ['success', 'failed', 'invalid', 'error'] as const;
export type EnvelopeStatus = (typeof ENVELOPE_STATUSES)[number];

/** Why a call did not succeed: programs act on these, people read `message`, which may be reworded. */
export const REFUSAL_CODES = [
  'invalid-session',
  'not-authorised',
  'agreements-due',
  'sign-in-refused',
  'not-found',
  'conflict',
  'bad-input',
  'too-large',
  'wrong-code',
  'too-many',
  'unavailable',
  'internal',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** The body of an answer. `invalid`: the session is gone; `failed`: refused; `error`: went wrong. */
export interface Envelope<T> {
  readonly status: EnvelopeStatus;
  readonly message: string;
  readonly data: T;
  /** Absent in a success. */
  readonly code?: RefusalCode;
  /** By which a person's screen translates `message`, with the values in it. Absent in a success. */
  readonly messageCode?: string;
  readonly messageValues?: MessageValues;
}

/** The schema of the envelope around `data`. */
export function envelopeOf<T extends z.ZodType>(data: T) {
  return z.object({
    status: z.enum(ENVELOPE_STATUSES),
    message: z.string(),
    data,
    code: z.enum(REFUSAL_CODES).optional(),
    ...messageFields,
  });
}

/** The words of refusals that several places say; the first three are the specification's. */
export const MESSAGES = {
  invalidSession: 'Invalid',
  userInvalid: 'User Invalid',
  notAuthorised: 'user not authorised',
  notFound: 'Not found',
  agreementsDue: 'The licence agreement and the privacy policy must be accepted first, in the console',
} as const;
