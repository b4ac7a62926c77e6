import { z } from 'zod';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';

// Tokens for programs: each belongs to one scope and may do what its capabilities name, until it expires. It acts for
// whoever made it and never more than that person may; it is shown once. Ingest tokens are those of HTTP sources.

export const CAPABILITIES = [
  'search',
  'cases.read',
  'cases.write',
  'signals.read',
  'signals.write',
  'workbooks.read',
  'ingest',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** The calls that each capability opens, by id. `ingest` opens the port of senders and no call here. */
const CALLS: Readonly<Record<Capability, readonly string[]>> = {
  search: ['C106', 'C107', 'C109', 'C110', 'C116', 'C119', 'C120', 'T-SEARCH-08'],
  'cases.read': ['C053', 'C054', 'C056', 'C057', 'C058', 'C064', 'C065', 'C067', 'C068', 'C070'],
  'cases.write': [
    'C059',
    'C060',
    'C061',
    'C062',
    'C063',
    'C066',
    'C069',
    'T-case-remove-signal',
    'T-case-add-entities',
  ],
  'signals.read': [
    'C043',
    'C044',
    'C045',
    'C046',
    'C047',
    'C048',
    'C049',
    'C050',
    'C051',
    'T-SIG-INFO',
    'T-SIG-EVENTS-QUERY',
  ],
  'signals.write': ['C052', 'T-SIG-FALSE-POSITIVE', 'T-SIG-TAGS'],
  'workbooks.read': ['C082', 'C084', 'C089', 'C094', 'C096', 'C102'],
  ingest: [],
};

/** The capability with which a token may make a call; null when no token may. */
export function capabilityOf(endpointId: string): Capability | null {
  return CAPABILITIES.find((capability) => CALLS[capability].includes(endpointId)) ?? null;
}

/** No token outlives a year. */
export const LONGEST_TOKEN_DAYS = 366;

export const apiTokenSchema = z.object({
  token_id: idSchema,
  app_name: z.string(),
  description: z.string(),
  scope_id: idSchema,
  capabilities: z.array(z.enum(CAPABILITIES)),
  /** The beginning of the token, to recognise it by. */
  prefix: z.string(),
  created: epochMs,
  created_by: z.string(),
  /** Null for ingest: a source sends until it is revoked. */
  expires: epochMs.nullable(),
  last_used: epochMs.nullable(),
  last_address: z.string().nullable(),
});
export type ApiToken = z.output<typeof apiTokenSchema>;

const access = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const path = (name: string) => `/:clusterId/api/token/${name}`;

export const listApiTokens = endpoint({
  id: 'T-token-list',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'The tokens of a scope, newest first; the expired ones too, until they are deleted.',
  input: z.object({ scope_id: idSchema }),
  output: z.array(apiTokenSchema),
  access,
});

export const createApiToken = endpoint({
  id: 'T-token-create',
  audit: 'change',
  method: 'POST',
  path: path('create'),
  summary: 'Makes a token. The answer holds it, this once only.',
  input: z
    .object({
      scope_id: idSchema,
      app_name: z.string().trim().min(1).max(80),
      description: z.string().trim().max(400).default(''),
      capabilities: z.array(z.enum(CAPABILITIES)).min(1).max(CAPABILITIES.length),
      /** Days until it expires; ingest has no expiry. */
      days: z.number().int().min(1).max(LONGEST_TOKEN_DAYS).default(90),
    })
    .refine((input) => !input.capabilities.includes('ingest') || input.capabilities.length === 1, {
      message: reason('ingestAlone'),
      path: ['capabilities'],
    }),
  output: z.object({
    token: z.string(),
    item: apiTokenSchema,
    /** Where the token is shown: the console's origin, for ingest that of the port of senders. */
    address: z.string(),
  }),
  access,
});

export const deleteApiToken = endpoint({
  id: 'T-token-delete',
  audit: 'change',
  method: 'POST',
  path: path('delete'),
  summary: 'Ends a token at once; an ingest token within seconds.',
  input: z.object({ scope_id: idSchema, token_id: idSchema }),
  output: z.object({ token_id: idSchema }),
  access,
});
