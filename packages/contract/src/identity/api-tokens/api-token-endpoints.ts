import { z } from 'zod';
import { endpoint } from '../../envelope/endpoint.ts';
import { epochMs, idSchema } from '../../envelope/list-request.ts';
import { reason } from '../../messages/input-messages.ts';

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

/** The calls that each capability opens, by name. `ingest` opens the port of senders and no call here. */
const CALLS: Readonly<Record<Capability, readonly string[]>> = {
  search: [
    'search.listFields',
    'search.estimateCost',
    'search.listSourceNames',
    'tasks.invoke',
    'search.listTimezones',
    'tasks.readState',
    'tasks.readResult',
    'tasks.cancel',
  ],
  'cases.read': [
    'cases.list',
    'cases.read',
    'cases.readHistory',
    'cases.readListStats',
    'cases.listSignals',
    'cases.readFigures',
    'cases.listEntities',
    'cases.readStats',
    'cases.readGraph',
    'cases.listNotes',
  ],
  'cases.write': [
    'cases.create',
    'cases.changeStatus',
    'cases.edit',
    'cases.assign',
    'cases.addSignals',
    'cases.addEntity',
    'cases.addNote',
    'cases.removeSignal',
    'cases.addEntities',
  ],
  'signals.read': [
    'signals.list',
    'signals.readGraph',
    'signals.readTimeslices',
    'signals.listCases',
    'signals.beginFacets',
    'signals.readFacets',
    'signals.readData',
    'signals.readKnowledge',
    'signals.listTags',
    'signals.read',
    'signals.readEventsQuery',
  ],
  'signals.write': ['signals.createTag', 'signals.markFalsePositive', 'signals.tag'],
  'workbooks.read': [
    'workbooks.countDetections',
    'workbooks.list',
    'workbooks.readProperties',
    'workbooks.listVersions',
    'workbooks.viewVersion',
    'directories.list',
  ],
  ingest: [],
};

/** The capability with which a token may make a call; null when no token may. */
export function capabilityOf(endpointName: string): Capability | null {
  return CAPABILITIES.find((capability) => CALLS[capability].includes(endpointName)) ?? null;
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
  name: 'tokens.list',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'The tokens of a scope, newest first; the expired ones too, until they are deleted.',
  input: z.object({ scope_id: idSchema }),
  output: z.array(apiTokenSchema),
  access,
});

export const createApiToken = endpoint({
  name: 'tokens.create',
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
  name: 'tokens.delete',
  audit: 'change',
  method: 'POST',
  path: path('delete'),
  summary: 'Ends a token at once; an ingest token within seconds.',
  input: z.object({ scope_id: idSchema, token_id: idSchema }),
  output: z.object({ token_id: idSchema }),
  access,
});
