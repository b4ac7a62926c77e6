import { z } from 'zod';
import { endpoint } from '../../envelope/endpoint.ts';
import { epochMs, idSchema } from '../../envelope/list-request.ts';
import { OTP_METHODS } from './second-factor.ts';

// The sessions of a user: one's own, or, for administrators, those of a user of the own organization.

export const SIGN_IN_METHODS = ['password', 'ldap', 'saml', 'oidc'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

export const sessionItemSchema = z.object({
  session_id: idSchema,
  created: epochMs,
  last_seen: epochMs,
  /** When it ends if nothing more is done, and when in any case. */
  idle_end: epochMs,
  end: epochMs,
  source: z.string(),
  user_agent: z.string(),
  method: z.enum(SIGN_IN_METHODS),
  second_factor: z.enum([...OTP_METHODS, 'recovery']).nullable(),
  is_current: z.boolean(),
});
export type SessionItem = z.output<typeof sessionItemSchema>;

export const listSessions = endpoint({
  name: 'sessions.list',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/users/sessions',
  summary: 'The sessions of the caller, or of a user that the caller administers.',
  input: z.object({ user_id: idSchema.optional() }),
  output: z.object({ data: z.array(sessionItemSchema) }),
  access: { kind: 'session' },
});

export const endSessions = endpoint({
  name: 'sessions.end',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/sessions/end',
  summary: 'Ends the sessions named, or all but the one that asks.',
  input: z.object({
    user_id: idSchema.optional(),
    session_ids: z.union([z.literal('others'), z.array(idSchema).min(1).max(1000)]),
  }),
  output: z.object({ ended: z.number().int() }),
  access: { kind: 'session' },
});
