import { z } from 'zod';
import { ALL_ROOTS } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';

// Streams as an engineer sees them: how much is in them, what reads them, how long they are kept, and what a change would
// cost. All figures come from what inserts count.

const count = z.number().int();
const scope = { scope_id: idSchema };
const stream = z.string().trim().min(1).max(128);
const reads = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const writes = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const path = (name: string) => `/:clusterId/api/streams/${name}`;

export const STREAM_SEARCH_TYPES = ['online', 'historic', 'current_month'] as const;

export const managedStreamSchema = z.object({
  stream: z.string(),
  /** Online: an event came within the last 24 hours. */
  is_online: z.boolean(),
  events: count,
  /** As senders sent them, and as they are before they are packed: the text with what was read from it. */
  raw_bytes: count,
  enriched_bytes: count,
  /** A share of what the tenant's events take on disk, by their size before packing. */
  disk_bytes: count,
  /** How much smaller they are on disk, in percent of `enriched_bytes`. */
  compression_pct: z.number(),
  last_event: epochMs.nullable(),
  /** Workbooks and rules of packs that read the stream and are on, by how they run; and all of them. */
  streamed_wb: count,
  scheduled_wb: count,
  active_wb: count,
  total_wb: count,
  /** Null: without end. */
  retention_days: count.nullable(),
  retention_set_in: z.enum(['scope', 'tenant', 'default']),
  /** Copies on different machines; 1: the original alone. The engine decides it for all streams. */
  replication: count,
  /** How the engine packs; one way for all streams. */
  compression: z.enum(['normal', 'high']),
});
export type ManagedStream = z.output<typeof managedStreamSchema>;

export const listStreams = endpoint({
  name: 'streams.list',
  requirement: 'C121',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/mgmt/core/stream-management/',
  summary:
    'The streams of a scope: volume, size on disk, what reads them, how long they are kept. `online`: with events of the last 24 hours; `historic`: all that is kept; `current_month`: what came in since the month began',
  input: z.object({ ...scope, search_type: z.enum(STREAM_SEARCH_TYPES).default('online') }),
  output: z.object({
    from: epochMs.nullable(),
    streams: z.array(managedStreamSchema),
    totals: z.object({ events: count, raw_bytes: count, enriched_bytes: count, disk_bytes: count }),
  }),
  access: reads,
});

export const streamAnalytics = endpoint({
  name: 'streams.readFigures',
  requirement: 'C111',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/wrk/api/stream/analytics',
  summary: 'Figures of a stream over days: by day, by source, by the decoder that read its events',
  input: z.object({ ...scope, stream, days: z.number().int().min(1).max(366).default(30) }),
  output: z.object({
    stream: z.string(),
    days: z.array(z.object({ day: epochMs, events: count, unparsed: count, raw_bytes: count })),
    sources: z.array(z.object({ source: z.string(), events: count, unparsed: count, raw_bytes: count })),
    extractors: z.array(z.object({ extractor: z.string(), events: count })),
  }),
  access: reads,
});

const change = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('retention'),
    stream,
    /** Null: back to what holds above the scope. */
    retention_days: z.number().int().min(1).max(3_650).nullable(),
  }),
  z.object({ kind: z.literal('drop'), stream, source_id: idSchema.optional() }),
]);

export const BLIND_REASONS = ['stream-gone', 'part-of-stream', 'any-stream', 'look-back'] as const;

export const checkStreamImpact = endpoint({
  name: 'streams.checkImpact',
  audit: 'nothing',
  method: 'POST',
  path: path('impact'),
  summary:
    'Before a change is saved: which detections it would blind, and how many events and bytes it would delete',
  input: z.object({ ...scope, change }),
  output: z.object({
    rules: z.array(
      z.object({
        ID: idSchema,
        name: z.string(),
        kind: z.enum(['workbook', 'pack']),
        is_on: z.boolean(),
        /**
         * `stream-gone`: no event of the stream would be left; `part-of-stream`: those of one source are missing;
         * `any-stream`: it reads all streams; `look-back`: it looks back further than events would be kept.
         */
        reason: z.enum(BLIND_REASONS),
        /** Seconds that it looks back, where known. */
        look_back_s: count.nullable(),
      }),
    ),
    events_to_delete: count,
    bytes_to_delete: count,
    /** Events of the stream, and of the source, in the last 24 hours: what a drop would not store in a day. */
    events_24h: count,
  }),
  access: reads,
});

export const dropRuleSchema = z.object({
  rule_id: idSchema,
  stream: z.string(),
  /** Null: of every source of the scope. */
  source_id: idSchema.nullable(),
  source: z.string().nullable(),
  reason: z.string(),
  created: epochMs,
  created_by: z.string(),
});
export type DropRule = z.output<typeof dropRuleSchema>;

export const listDropRules = endpoint({
  name: 'streams.listDropRules',
  audit: 'nothing',
  method: 'POST',
  path: path('drop/list'),
  summary: 'What is not stored in a scope, and why',
  input: z.object(scope),
  output: z.array(dropRuleSchema),
  access: reads,
});

export const saveDropRule = endpoint({
  name: 'streams.saveDropRule',
  audit: 'change',
  method: 'POST',
  path: path('drop/save'),
  summary:
    'Events of a stream, of one source or of all, are no longer stored. They are counted as rejected with the reason dropped-by-rule',
  input: z.object({
    ...scope,
    stream,
    source_id: idSchema.optional(),
    reason: z.string().trim().min(1).max(500),
  }),
  output: z.object({ rule_id: idSchema }),
  access: writes,
});

export const removeDropRule = endpoint({
  name: 'streams.removeDropRule',
  audit: 'change',
  method: 'POST',
  path: path('drop/remove'),
  summary: 'Events are stored again, within five seconds',
  input: z.object({ ...scope, rule_id: idSchema }),
  output: z.object({ rule_id: idSchema }),
  access: writes,
});

export const readUtilization = endpoint({
  name: 'streams.readUtilization',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/api/utilization',
  summary:
    'Volume of a month by UTC day against what is subscribed: what is over, what is billed, by stream and by source; storage',
  input: z.object({
    /** `2026-03`; absent: the running month. */
    month: z
      .string()
      .max(7)
      .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
      .optional(),
  }),
  output: z.object({
    month: z.string(),
    from: epochMs,
    to: epochMs,
    /** Raw bytes of a day that are subscribed; null: nothing is agreed. */
    subscribed_bytes: count.nullable(),
    /** What a day may have without being in excess: twice as much. */
    buffer_bytes: count.nullable(),
    free_excess_days: count,
    excess_days: count,
    overage_bytes: count,
    billed_bytes: count,
    raw_bytes: count,
    disk_bytes: count,
    days: z.array(
      z.object({
        day: epochMs,
        raw_bytes: count,
        events: count,
        overage_bytes: count,
        billed_bytes: count,
        /** Which excess day of the month it is. */
        excess_day: count.nullable(),
      }),
    ),
    streams: z.array(z.object({ stream: z.string(), events: count, raw_bytes: count })),
    sources: z.array(
      z.object({ source: z.string(), scope_name: z.string(), events: count, raw_bytes: count }),
    ),
  }),
  access: { kind: 'roles', in: 'cluster', tags: ['tenant-admin', ...ALL_ROOTS] },
});

export const saveSubscription = endpoint({
  name: 'streams.saveSubscription',
  audit: 'change',
  method: 'PUT',
  path: '/:clusterId/api/utilization/subscription',
  summary: 'Sets how many raw bytes a day a tenant has subscribed to; null: nothing is agreed',
  input: z.object({ subscribed_bytes: z.number().int().min(1).max(1e15).nullable() }),
  output: z.object({}),
  access: { kind: 'roles', in: 'cluster', tags: ['root'] },
});
