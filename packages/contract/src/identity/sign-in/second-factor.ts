import { z } from 'zod';
import { boundedRecord } from '../../envelope/bounded-record.ts';
import { epochMs } from '../../envelope/list-request.ts';
import { userAccessSchema } from '../users/access-record.ts';

// The second step of a sign-in: what the first step answers when it is not enough, and what comes after it.

/** What an organization may choose from: an authenticator app, a code by mail, a passkey. */
export const OTP_METHODS = ['totp', 'mail', 'passkey'] as const;
export type OtpMethod = (typeof OTP_METHODS)[number];

/** The steps of a code of an authenticator app, in digits and seconds. */
export const OTP_DIGITS = 6;

/**
 * The answer to a first step that needs a second. It carries no fact of the user: whoever has only the password
 * learns nothing. `enrol` is there when the user has no second factor yet: the first right code sets it up.
 */
export const otpChallengeSchema = z.object({
  SSID: z.literal(''),
  mfa_flag: z.literal('enabled'),
  otp_token: z.string(),
  methods: z.array(z.enum(OTP_METHODS)).min(1),
  enrol: z
    .object({
      /** Base32, for typing. */
      secret: z.string(),
      /** The same as `otpauth:` address, for a QR code. */
      uri: z.string(),
    })
    .nullable(),
  /** Whether a recovery code is taken instead. */
  recovery: z.boolean(),
  /** The token is good until then. */
  expires: epochMs,
});
export type OtpChallenge = z.output<typeof otpChallengeSchema>;

/** What a first step answers: the session, or the challenge of the second step. */
export const signInAnswerSchema = z.union([otpChallengeSchema, userAccessSchema]);
export type SignInAnswer = z.output<typeof signInAnswerSchema>;

/** Whether a sign-in is complete: there is a session id. */
export function isSignedIn(answer: SignInAnswer): answer is z.output<typeof userAccessSchema> {
  return answer.SSID !== '';
}

/** How a second step failed: `invalid`, try again; `expired` and `locked`, begin with the password again. */
export const OTP_STATUSES = ['invalid', 'expired', 'locked'] as const;
export type OtpStatus = (typeof OTP_STATUSES)[number];

/** WebAuthn values as JSON; the libraries of both sides check them. */
export const webAuthnJson = boundedRecord(z.string().max(64), z.unknown(), 32);
