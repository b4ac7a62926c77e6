import { z } from 'zod';
import { ALL_ROOTS } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { syslogCertificateSchema, syslogNetworkSchema } from './network-endpoints.ts';

// Sources of events: tokens for HTTP and senders of syslog, and what came in through them.

/** `pull`: made with a connector that fetches. */
export const SOURCE_KINDS = ['http', 'syslog', 'pull'] as const;
const MADE_KINDS = ['http', 'syslog'] as const;

export const sourceSchema = z.object({
  source_id: idSchema,
  source_name: z.string(),
  scope_id: idSchema,
  kind: z.enum(SOURCE_KINDS),
  /** The beginning of the token, to recognise it by; null for syslog without a token. */
  token_prefix: z.string().nullable(),
  /** Networks whose syslog belongs to the source, e.g. `10.1.0.0/16`. */
  networks: z.array(z.string()),
  /** Client certificates whose syslog belongs to the source. */
  certificates: z.array(z.string()),
  /** Why the source, or a part of it, receives nothing although it was not revoked. */
  notice: z.string().nullable(),
  created_by: z.string(),
  created_ms: epochMs,
  revoked_ms: epochMs.nullable(),
});
export type Source = z.output<typeof sourceSchema>;

/** Counts by name: received, stored, parse_error, no_extractor, future-time, invalid-utf8, wrong bodies ... */
export const sourceStatusSchema = sourceSchema.extend({
  counts: z.record(z.string(), z.number().int()),
  last_event_ms: epochMs.nullable(),
});
export type SourceStatus = z.output<typeof sourceStatusSchema>;

const SEES = ['engineer', 'tenant-admin', 'org-admin', ...ALL_ROOTS] as const;
const CHANGES = ['engineer', 'tenant-admin'] as const;

export const createSource = endpoint({
  name: 'sources.create',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/wrk/api/ingest/source/create',
  summary:
    'Makes a source. The answer holds its token, which is shown this once only. Networks and certificates of syslog must be among those that root gave to the tenant.',
  input: z.object({
    scope_id: idSchema,
    source_name: z.string().trim().min(1).max(128),
    kind: z.enum(MADE_KINDS).default('http'),
    networks: z.array(syslogNetworkSchema).max(64).default([]),
    certificates: z.array(syslogCertificateSchema).max(64).default([]),
    /** For syslog: also a token, which the sender puts into the structured data of each message. */
    with_token: z.boolean().default(false),
    /** For HTTP: the token is also the shared key of Fluent forward. The server keeps it sealed, not only its hash. */
    with_shared_key: z.boolean().default(false),
  }),
  output: z.object({ source: sourceSchema, token: z.string().nullable() }),
  access: { kind: 'roles', in: 'scope', tags: CHANGES },
});

export const revokeSource = endpoint({
  name: 'sources.revoke',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/wrk/api/ingest/source/revoke',
  summary: 'Ends a source: its token and its networks are refused within seconds. What it sent stays.',
  input: z.object({ scope_id: idSchema, source_id: idSchema }),
  output: sourceSchema,
  access: { kind: 'roles', in: 'scope', tags: CHANGES },
});

export const collectionStatus = endpoint({
  name: 'sources.readStatus',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/wrk/api/ingest/status',
  summary: 'The sources of a scope with their counts, and how full the spool is.',
  input: z.object({ scope_id: idSchema }),
  output: z.object({
    sources: z.array(sourceStatusSchema),
    spool: z.object({
      files: z.number().int(),
      bytes: z.number().int(),
      limit_bytes: z.number().int(),
    }),
  }),
  access: { kind: 'roles', in: 'scope', tags: SEES },
});
