import { z } from 'zod';
import { ALL_ROOTS } from '../../access/role-tags.ts';
import { endpoint } from '../../envelope/endpoint.ts';
import { idSchema } from '../../envelope/list-request.ts';
import { reason } from '../../messages/input-messages.ts';
import { messageFields } from '../../messages/message-values.ts';
import { OTP_METHODS } from './second-factor.ts';
import { typedAddress } from './typed-address.ts';

// How the people of an organization sign in, how long their sessions last, and the directory that knows their
// passwords. Passwords of the directory are written and never read back.

export const AUTH_TYPES = ['standard', 'mfa', 'sso', 'ldap'] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

export const LDAP_SECURITIES = ['plain', 'starttls', 'ldaps'] as const;

const minutes = (most: number) => z.number().int().min(30).max(most);

export const signInSettingsSchema = z.object({
  auth_type: z.enum(AUTH_TYPES),
  /** What may be a second factor; the app or mail must be among them. */
  otp_methods: z
    .array(z.enum(OTP_METHODS))
    .max(OTP_METHODS.length)
    .refine((methods) => methods.includes('totp') || methods.includes('mail'), {
      message: reason('factorToEnrol'),
    }),
  /** Ask for a second factor after a directory or another identity provider too; `mfa` always asks. */
  second_factor_always: z.boolean(),
  session_timeout_min: minutes(7200),
  session_max_min: minutes(43_200),
});
export type SignInSettings = z.output<typeof signInSettingsSchema>;

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, reason('mailDomain'));

export const ldapDirectorySchema = z.object({
  host: z.string().trim().min(1).max(253),
  port: z.number().int().min(1).max(65_535),
  security: z.enum(LDAP_SECURITIES),
  ca_certificate: z.string().max(100_000).default(''),
  base_dn: z.string().trim().max(1024),
  user_filter: z
    .string()
    .trim()
    .max(1024)
    .refine((text) => text.includes('{email}'), { message: reason('emailPlaceholder') }),
  bind_dn: z.string().trim().max(1024).default(''),
});
export type LdapDirectory = z.output<typeof ldapDirectorySchema>;
const directoryInput = ldapDirectorySchema.extend({ bind_password: z.string().max(256).optional() });

const ORG_ADMINS = { kind: 'roles', in: 'platform', tags: ['org-admin', 'root', 'root-init'] } as const;

export const readSignInSettings = endpoint({
  name: 'signInSettings.read',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/organization/:orgId/sign-in',
  summary: 'How the people of an organization sign in.',
  input: z.object({}),
  output: signInSettingsSchema.extend({
    sso_kind: z.enum(['saml', 'oidc']).nullable(),
    mail_domains: z.array(z.string()),
    /** For root: users of other organizations with an address of these domains, who cannot sign in. At most 100. */
    outsiders: z.array(z.object({ user_id: idSchema, email_id: z.string(), organization: z.string() })),
    directory: ldapDirectorySchema.extend({ has_password: z.boolean() }).nullable(),
    /** Mail can be sent: codes by mail depend on it. */
    mail_is_set_up: z.boolean(),
  }),
  access: { kind: 'roles', in: 'platform', tags: ['org-admin', ...ALL_ROOTS] },
});

export const saveSignInSettings = endpoint({
  name: 'signInSettings.save',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/organization/:orgId/sign-in',
  summary: 'Changes how the people of an organization sign in.',
  input: signInSettingsSchema,
  output: z.object({}),
  access: ORG_ADMINS,
});

export const saveLdapDirectory = endpoint({
  name: 'ldap.save',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/organization/:orgId/directory',
  summary: 'Sets the LDAP directory of an organization.',
  input: directoryInput,
  output: z.object({}),
  access: ORG_ADMINS,
});

export const testLdapDirectory = endpoint({
  name: 'ldap.test',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/organization/:orgId/directory/test',
  summary: 'Connects to the directory as given and looks one address up; tells what the server said.',
  input: directoryInput.extend({ emailId: typedAddress }),
  output: z.object({ found: z.boolean(), answer: z.string(), ...messageFields }),
  access: ORG_ADMINS,
});

export const saveMailDomains = endpoint({
  name: 'mailDomains.save',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/organization/:orgId/mail-domains',
  summary: 'The mail domains whose addresses sign in as this organization does; root vouches for them.',
  input: z.object({ mail_domains: z.array(domain).max(100) }),
  output: z.object({}),
  access: { kind: 'roles', in: 'platform', tags: ['root', 'root-init'] },
});
