import { z } from 'zod';
import { ROOTS } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import { messageFields } from '../messages/message-values.ts';

// The mail server of the platform: links for passwords, one-time codes and reports go through it. The password
// is written and never read back.

export const SMTP_SECURITIES = ['none', 'starttls', 'tls'] as const;

const oneLine = z
  .string()
  .trim()
  .max(254)
  .refine((text) => !/[\r\n]/.test(text), { message: reason('oneLine') });

export const smtpSettingsSchema = z.object({
  host: oneLine.min(1).regex(/^[A-Za-z0-9.:[\]_-]+$/, reason('host')),
  port: z.number().int().min(1).max(65_535),
  security: z.enum(SMTP_SECURITIES),
  /** Off only for a server with a certificate of its own making. */
  verify_certificate: z.boolean().default(true),
  /** Empty: the server is not asked to sign in. */
  user: oneLine.default(''),
  from_name: oneLine.default(''),
  from_address: z.email().max(254),
});
export type SmtpSettings = z.output<typeof smtpSettingsSchema>;

/** Absent: the stored password stays, which is refused once the server or the user has changed. */
const passwordInput = z.string().max(256).optional();

export const readSmtp = endpoint({
  name: 'smtp.read',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/smtp',
  summary: 'The mail server of the platform; null until one is set.',
  input: z.object({}),
  output: z.object({
    settings: smtpSettingsSchema
      .extend({ has_password: z.boolean(), changed: epochMs, changed_by: z.string() })
      .nullable(),
  }),
  access: { kind: 'roles', in: 'platform', tags: ROOTS },
});

export const saveSmtp = endpoint({
  name: 'smtp.save',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/smtp',
  summary: 'Sets the mail server of the platform.',
  input: smtpSettingsSchema.extend({ password: passwordInput }),
  output: z.object({}),
  access: { kind: 'roles', in: 'platform', tags: ['root'] },
});

export const testSmtp = endpoint({
  name: 'smtp.test',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/smtp/test',
  summary: 'Sends one real mail with the settings given, saved or not, and tells what the server said.',
  input: z.object({
    to: z.email().max(254),
    settings: smtpSettingsSchema.extend({ password: passwordInput }),
  }),
  output: z.object({
    accepted: z.boolean(),
    /** The words of the mail server, or of the connection that failed. */
    answer: z.string(),
    /** Of `answer`, when it is not the mail server's own. */
    ...messageFields,
    duration_ms: z.number().int(),
  }),
  access: { kind: 'roles', in: 'platform', tags: ['root'] },
});

export const removeSmtp = endpoint({
  name: 'smtp.remove',
  audit: 'change',
  method: 'DELETE',
  path: '/lc/mgmt/smtp',
  summary: 'Forgets the mail server: no mail is sent any more.',
  input: z.object({}),
  output: z.object({}),
  access: { kind: 'roles', in: 'platform', tags: ['root'] },
});
