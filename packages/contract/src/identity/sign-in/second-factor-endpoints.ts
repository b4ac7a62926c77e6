import { z } from 'zod';
import { endpoint } from '../../envelope/endpoint.ts';
import { epochMs, idSchema } from '../../envelope/list-request.ts';
import { reason } from '../../messages/input-messages.ts';
import { userAccessSchema } from '../users/access-record.ts';
import { OTP_METHODS, webAuthnJson } from './second-factor.ts';

// The second step of a sign-in, and what a user sets up for it. Whoever changes a second factor proves with the
// password that the session is in the right hands; where another identity provider signs in, the session is proof.

const otpToken = z.string().min(1).max(256);
const password = z.string().max(256).default('');
const empty = z.object({});

export const verifyOtp = endpoint({
  name: 'factors.verify',
  requirement: 'C003',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/verify-otp',
  summary:
    'The second step: a code of the app or the mail, a recovery code, or what a passkey has signed. Status error with otp_status tells that it was wrong.',
  input: z
    .object({
      emailId: z.string().max(254).optional(),
      otp_token: otpToken,
      otp: z.string().trim().max(64).optional(),
      passkey: webAuthnJson.optional(),
    })
    .refine((input) => (input.otp === undefined) !== (input.passkey === undefined), {
      message: reason('otpOrPasskey'),
    }),
  /** `recovery_codes`: shown once, when this code has set up the first factor. */
  output: userAccessSchema.extend({ recovery_codes: z.array(z.string()).optional() }),
  access: { kind: 'public' },
});

export const sendOtpMail = endpoint({
  name: 'factors.sendMail',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/otp-mail',
  summary: 'Mails a code for the second step, where the organization chooses so.',
  input: z.object({ otp_token: otpToken }),
  output: z.object({
    /** The address, mostly hidden. */
    sent_to: z.string(),
    expires: epochMs,
    /** Another may be asked for from then on; null when it was the last. */
    next: epochMs.nullable(),
  }),
  access: { kind: 'public' },
});

export const otpPasskeyOptions = endpoint({
  name: 'factors.askForPasskey',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/users/otp-passkey',
  summary: 'What a passkey has to sign for the second step.',
  input: z.object({ otp_token: otpToken }),
  output: z.object({ options: webAuthnJson }),
  access: { kind: 'public' },
});

export const readFactors = endpoint({
  name: 'factors.list',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/users/factors',
  summary: 'The second factors of the caller.',
  input: empty,
  output: z.object({
    allowed: z.array(z.enum(OTP_METHODS)),
    /** The organization asks for a second factor. */
    required: z.boolean(),
    /** Changes ask for the password. */
    asks_password: z.boolean(),
    totp: z.object({ created: epochMs }).nullable(),
    passkeys: z.array(
      z.object({ id: z.string(), name: z.string(), created: epochMs, last_used: epochMs.nullable() }),
    ),
    /** The one address under which passkeys work; null when none is configured that browsers accept. */
    passkey_origin: z.string().nullable(),
    recovery_codes_left: z.number().int(),
  }),
  access: { kind: 'session' },
});

export const beginTotp = endpoint({
  name: 'factors.beginTotp',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/factors/totp/begin',
  summary: 'A new secret for an authenticator app, good once confirmed.',
  input: z.object({ password }),
  output: z.object({ secret: z.string(), uri: z.string(), expires: epochMs }),
  access: { kind: 'session' },
});

export const confirmTotp = endpoint({
  name: 'factors.confirmTotp',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/factors/totp/confirm',
  summary: 'Takes the new secret with a code of it; answers new recovery codes when it is the first factor.',
  input: z.object({ otp: z.string().trim().min(1).max(16) }),
  output: z.object({ recovery_codes: z.array(z.string()) }),
  access: { kind: 'session' },
});

export const beginPasskey = endpoint({
  name: 'factors.beginPasskey',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/factors/passkey/begin',
  summary: 'What the browser needs to make a passkey.',
  input: z.object({ password }),
  output: z.object({ options: webAuthnJson }),
  access: { kind: 'session' },
});

export const confirmPasskey = endpoint({
  name: 'factors.confirmPasskey',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/factors/passkey/confirm',
  summary: 'Keeps the passkey that the browser has made.',
  input: z.object({ name: z.string().trim().min(1).max(64), passkey: webAuthnJson }),
  output: z.object({ recovery_codes: z.array(z.string()) }),
  access: { kind: 'session' },
});

export const removeFactor = endpoint({
  name: 'factors.remove',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/factors/remove',
  summary: 'Removes the authenticator app, or a passkey by its id.',
  input: z.object({ kind: z.enum(['totp', 'passkey']), id: z.string().max(1024).optional(), password }),
  output: empty,
  access: { kind: 'session' },
});

export const renewRecoveryCodes = endpoint({
  name: 'factors.renewRecoveryCodes',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/factors/recovery',
  summary: 'New recovery codes; those before are void.',
  input: z.object({ password: z.string().max(256) }),
  output: z.object({ recovery_codes: z.array(z.string()) }),
  access: { kind: 'session' },
});

export const resetFactors = endpoint({
  name: 'factors.reset',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/users/reset_mfa',
  summary: 'Removes every second factor of a user, ends the sessions and tells the user by mail.',
  input: z.object({ user_id: idSchema }),
  output: z.object({ mailed: z.boolean() }),
  access: { kind: 'roles', in: 'platform', tags: ['org-admin', 'root', 'root-init'] },
});
