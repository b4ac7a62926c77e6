import { z } from 'zod';
import { ALL_ROOTS } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, pageFields, pageOf } from '../envelope/list-request.ts';

// Collection status: every source of a scope, what came in from it and what became of it.

const count = z.number().int();
const SEES = ['engineer', 'tenant-admin', 'org-admin', ...ALL_ROOTS] as const;
const sees = { kind: 'roles', in: 'scope', tags: SEES } as const;
const path = (name: string) => `/:clusterId/api/collection_status/${name}`;

export const COLLECTION_STATES = ['active', 'inactive'] as const;
export const VOLUME_STATES = ['usual', 'high', 'low'] as const;

const reasonCount = z.object({
  /** `lost`, `dropped-by-rule`, …: records; `refused_…`: whole requests, whose sender keeps its events. */
  reason: z.string(),
  count,
});

export const collectedSourceSchema = z.object({
  /** Null: a name that a sender gives to its events; its counts are those of the source whose token it has. */
  source_id: idSchema.nullable(),
  source: z.string(),
  kind: z.string(),
  /** Networks, certificates or the beginning of the token. */
  proofs: z.array(z.string()),
  description: z.string(),
  /** Decoders that read its events of the last seven days. */
  extractors: z.array(z.string()),
  streams: z.array(z.string()),
  /** Inactive: nothing came for longer than its threshold, or it was revoked. */
  status: z.enum(COLLECTION_STATES),
  is_revoked: z.boolean(),
  notice: z.string().nullable(),
  last_event: epochMs.nullable(),
  events_24h: count,
  /** Events of each of the last 24 hours, the running one last. */
  hours: z.array(count),
  unparsed_24h: count,
  /** Taken in, in the last 24 hours; accepted = stored + spooled + rejected. */
  accepted_24h: count,
  stored_24h: count,
  spooled_24h: count,
  rejected_24h: count,
  reasons: z.array(reasonCount),
  /** Seconds without an event after which it is silent; 0: never. */
  silence_s: count,
  silence_learned_s: count.nullable(),
  silence_set_s: count.nullable(),
  silent_since: epochMs.nullable(),
  volume: z.enum(VOLUME_STATES),
  created: epochMs.nullable(),
  created_by: z.string().nullable(),
});
export type CollectedSource = z.output<typeof collectedSourceSchema>;

export const listCollection = endpoint({
  name: 'sources.listCollection',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'The sources of a scope, what came in from each and what became of it',
  input: z.object({
    scope_id: idSchema,
    pageno: pageFields.pageno,
    pagesize: z.coerce.number().int().min(1).max(2_000).default(500),
    text: z.string().max(200).default(''),
    status: z.enum(COLLECTION_STATES).optional(),
  }),
  output: pageOf(collectedSourceSchema).extend({
    totals: z.object({
      active: count,
      inactive: count,
      events_24h: count,
      unparsed_24h: count,
      rejected_24h: count,
      /** accepted - stored - spooled - rejected over all sources; anything but 0 is a fault. */
      imbalance: count,
    }),
    /** Datagrams that the kernel dropped before they were read: of the whole platform, whose they were nobody knows. */
    lost_datagrams: z.object({ count, last: epochMs.nullable() }),
    /** Of the process that answers. */
    spool: z.object({ files: count, bytes: count, limit_bytes: count }),
  }),
  access: sees,
});

export const ACCOUNT_SPAN_NAMES = ['minute', 'hour', 'day'] as const;

export const readSourceAccount = endpoint({
  name: 'sources.readAccount',
  audit: 'nothing',
  method: 'POST',
  path: path('account'),
  summary:
    'The balance of a source by minute (two days at most), hour (35 days) or day (13 months): accepted = stored + spooled + rejected',
  input: z.object({
    scope_id: idSchema,
    source_id: idSchema,
    span: z.enum(ACCOUNT_SPAN_NAMES).default('minute'),
    /** How many minutes, hours or days, the running one included. */
    count: z.number().int().min(1).max(2_880).default(60),
  }),
  output: z.object({
    from: epochMs,
    /** Oldest first; a time without anything is absent. */
    rows: z.array(
      z.object({
        time: epochMs,
        accepted: count,
        stored: count,
        spooled: count,
        rejected: count,
        unparsed: count,
        raw_bytes: count,
        imbalance: count,
      }),
    ),
    reasons: z.array(reasonCount),
    imbalance: count,
    /**
     * Events of the source that the event store has of the same time. More than were accounted: a process died before it
     * wrote its counts. Null when senders name their events themselves or the store does not answer.
     */
    in_store: count.nullable(),
  }),
  access: sees,
});

export const editCollection = endpoint({
  name: 'sources.editCollection',
  audit: 'change',
  method: 'POST',
  path: path('edit'),
  summary: 'Sets the description of a source, or after how long without an event it is silent',
  input: z.object({
    scope_id: idSchema,
    source_id: idSchema,
    description: z.string().trim().max(500).optional(),
    /** Seconds; 0: never silent; null: as learned. */
    silence_s: z.number().int().min(0).max(2_592_000).nullable().optional(),
  }),
  output: z.object({ source_id: idSchema }),
  access: { kind: 'roles', in: 'scope', tags: ['engineer', 'tenant-admin'] },
});

export const deleteCollection = endpoint({
  name: 'sources.deleteCollection',
  audit: 'change',
  method: 'POST',
  path: path('delete'),
  summary: 'Deletes an inactive source with its counts, for good. Its events stay.',
  input: z.object({ scope_id: idSchema, source_id: idSchema }),
  output: z.object({ source_id: idSchema }),
  access: { kind: 'roles', in: 'scope', tags: ['tenant-admin'] },
});

export const listUnparsed = endpoint({
  name: 'sources.listUnparsed',
  audit: 'event-data',
  method: 'POST',
  path: path('unparsed'),
  summary: 'The last events of a source that no extractor knew or could read, of the last two days',
  input: z.object({
    scope_id: idSchema,
    source: z.string().min(1).max(512),
    count: z.number().int().min(1).max(100).default(20),
  }),
  output: z.array(
    z.object({
      time: epochMs,
      status: z.string(),
      error: z.string(),
      extractor: z.string(),
      /** At most 2,000 characters. */
      raw: z.string(),
    }),
  ),
  access: { kind: 'roles', in: 'scope', tags: ['engineer'] },
});
