import { z } from 'zod';
import { endpoint } from '../../envelope/endpoint.ts';
import { idSchema } from '../../envelope/list-request.ts';
import { typedAddress } from './typed-address.ts';

// Links that set a password: for a new account, for a forgotten one, from an administrator. A link works once.

export const PASSWORD_LINK_KINDS = ['set', 'forgot', 'reset'] as const;
export type PasswordLinkKind = (typeof PASSWORD_LINK_KINDS)[number];

const empty = z.object({});
/** Whose link it is, so that the page can say so. */
const linkAnswer = z.object({ kind: z.enum(PASSWORD_LINK_KINDS), email_id: z.string() });

export const verifyPassToken = endpoint({
  name: 'passwords.verifyToken',
  requirement: 'C008',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/users/verify-pass-token/:token',
  summary: 'Whether a link for a first password still works.',
  input: empty,
  output: linkAnswer,
  access: { kind: 'public' },
});

export const setPassword = endpoint({
  name: 'passwords.set',
  requirement: 'C009',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/users/set_pass',
  summary: 'Sets the password with a link, uses the link up and ends every session of the user.',
  input: z.object({ token: z.string().min(1).max(256), password: z.string().min(1).max(256) }),
  output: empty,
  access: { kind: 'public' },
});

export const resetOwnPassword = endpoint({
  name: 'passwords.resetOwn',
  requirement: 'C010',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/users/reset_pass',
  summary: 'Mails the caller a link to set a new password.',
  input: empty,
  output: empty,
  access: { kind: 'session' },
});

export const resetUserPassword = endpoint({
  name: 'passwords.resetOfUser',
  requirement: 'C011',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/users/reset_user_pass',
  summary:
    'By address, for anybody: mails a link if there is such an account, and answers the same if not. By user id, for administrators: mails that user a link.',
  input: z.union([z.object({ user_id: idSchema }), z.object({ emailId: typedAddress })]),
  output: empty,
  access: { kind: 'public' },
});

export const validResetLink = endpoint({
  name: 'passwords.checkResetLink',
  requirement: 'C012',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/mgmt/users/valid_reset_link/:token',
  summary: 'Whether a link to reset a password still works.',
  input: empty,
  output: linkAnswer,
  access: { kind: 'public' },
});
