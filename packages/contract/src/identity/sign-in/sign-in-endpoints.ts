import { z } from 'zod';
import { endpoint } from '../../envelope/endpoint.ts';
import { idSchema } from '../../envelope/list-request.ts';
import { userAccessSchema } from '../users/access-record.ts';
import { signInAnswerSchema } from './second-factor.ts';
import { AUTH_TYPES } from './sign-in-settings-endpoints.ts';
import { typedAddress } from './typed-address.ts';

// Signing in and out. Logout and invalidate are open and idempotent: whoever holds a session id may end
// that session, and an unknown id answers success, so that a client can always clean up.

const empty = z.object({});

const email = typedAddress;
const password = z.string().min(1).max(256);

export const initUser = endpoint({
  name: 'signIn.begin',
  requirement: 'C001',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/users/init',
  summary: 'How addresses of this mail domain sign in; the same whether or not there is such an account.',
  input: z.object({ emailId: email }),
  output: z.object({
    auth_type: z.enum(AUTH_TYPES),
    /** Set with `sso`: `sso.begin` gives the address of the identity provider. */
    sso_kind: z.enum(['saml', 'oidc']).nullable(),
    redirect_url: z.string().nullable(),
  }),
  access: { kind: 'public' },
});

export const login = endpoint({
  name: 'signIn.login',
  requirement: 'C002',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/login',
  summary:
    'Email and password give an SSID and the access record, or, with mfa_flag enabled, the challenge of the second step.',
  input: z.object({ emailId: email, password }),
  output: signInAnswerSchema,
  access: { kind: 'public' },
});

export const logout = endpoint({
  name: 'signIn.logout',
  requirement: 'C004',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/logout',
  summary: 'Ends the session named in the body, or else the one in the header.',
  input: z.object({ ssid: z.string().max(256).optional() }),
  output: empty,
  access: { kind: 'public' },
});

export const invalidateSession = endpoint({
  name: 'sessions.invalidate',
  requirement: 'C007',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/api/session/invalidate',
  summary: 'Ends the session in the header.',
  input: empty,
  output: empty,
  access: { kind: 'public' },
});

export const changePassword = endpoint({
  name: 'passwords.change',
  requirement: 'C013',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/users/change_password',
  summary: 'Changes the own password and ends every other session of the user.',
  input: z.object({ old_password: password, new_password: password }),
  output: z.object({ ended_sessions: z.number().int() }),
  access: { kind: 'session' },
});

export const acceptPolicy = endpoint({
  name: 'account.acceptPolicy',
  requirement: 'C015',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/:user_id',
  summary: 'Accepts the privacy policy, for oneself.',
  input: z.object({ isPolicyAccepted: z.literal(true) }),
  output: z.object({ user_id: idSchema, isPolicyAccepted: z.literal(true) }),
  access: { kind: 'session', beforeAgreements: true },
});

export const accessDetails = endpoint({
  name: 'account.readAccess',
  requirement: 'C019',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/users/access-details',
  summary: 'The access record of the caller, as it is now.',
  input: empty,
  output: userAccessSchema,
  access: { kind: 'session', beforeAgreements: true },
});

export const acceptEula = endpoint({
  name: 'account.acceptEula',
  requirement: 'C020',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/users/accept-eula',
  summary: 'Accepts the licence agreement, for oneself.',
  input: empty,
  output: z.object({ EULA: z.literal(true) }),
  access: { kind: 'session', beforeAgreements: true },
});

export const SIGN_IN_ENDPOINTS = [
  initUser,
  login,
  logout,
  invalidateSession,
  changePassword,
  acceptPolicy,
  accessDetails,
  acceptEula,
] as const;
