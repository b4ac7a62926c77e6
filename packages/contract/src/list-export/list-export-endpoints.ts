import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { boundedRecord } from '../envelope/bounded-record.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';

// A list as a file, whole and as it is filtered, whichever page is on screen.

export const EXPORTED_LISTS = [
  'cases',
  'signals',
  'workbooks',
  'tokens',
  'extractors',
  'sources',
  'streams',
] as const;
export type ExportedList = (typeof EXPORTED_LISTS)[number];

/** The fields of each list, in the order in which a file has them. */
export const EXPORT_FIELDS: Readonly<Record<ExportedList, readonly string[]>> = {
  cases: [
    'case_key',
    'case_name',
    'status',
    'severity',
    'handler.name',
    'created',
    'updated',
    'closed',
    'resolution',
    'signal_count',
    'artifact_count',
    'risk_score',
    'tta_seconds',
    'ttr_seconds',
    'tags',
    'case_id',
  ],
  signals: [
    'name',
    'score',
    'confidence',
    'tactic',
    'technique',
    'suspects',
    'targets',
    'first_time',
    'last_time',
    'occurrences',
    'stream',
    'workbook_name',
    'status',
    'false_positive',
    'tags',
    'signal_id',
  ],
  workbooks: [
    'properties.name',
    'properties.directory',
    'properties.enabled',
    'properties.severity',
    'properties.score',
    'properties.tactic',
    'properties.technique',
    'properties.streams',
    'properties.signals_30d',
    'properties.author',
    'properties.version',
    'properties.updated',
    'ID',
  ],
  tokens: [
    'app_name',
    'description',
    'capabilities',
    'prefix',
    'expires',
    'last_used',
    'created_by',
    'created',
    'token_id',
  ],
  extractors: [
    'extractor_id',
    'name',
    'source_type',
    'author',
    'type',
    'version',
    'status',
    'has_draft',
    'cloned_from',
    'updated',
  ],
  sources: [
    'source',
    'status',
    'kind',
    'description',
    'extractors',
    'streams',
    'last_event',
    'events_24h',
    'unparsed_24h',
    'accepted_24h',
    'stored_24h',
    'spooled_24h',
    'rejected_24h',
    'reasons',
    'silence_s',
    'silent_since',
    'volume',
    'created',
    'source_id',
  ],
  streams: [
    'stream',
    'is_online',
    'events',
    'raw_bytes',
    'enriched_bytes',
    'disk_bytes',
    'compression_pct',
    'active_wb',
    'streamed_wb',
    'scheduled_wb',
    'total_wb',
    'last_event',
    'retention_days',
  ],
};

/** No file holds more rows than this; one that would is refused, not cut. */
export const MAX_EXPORTED_ROWS = 100_000;

/** How a file is to be made, whatever the list. */
export const fileFields = {
  format: z.enum(['csv', 'ndjson']).default('csv'),
  file_name: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .regex(/^[^\\/:*?"<>|\p{Cc}]+$/u, reason('fileName')),
  fields: z.array(z.string().min(1).max(64)).min(1).max(100),
  timezone: z.string().min(1).max(64).default('UTC'),
  /** What the call of the list itself takes: addfilters, search, start, end, view, sort … */
  selection: boundedRecord(z.string().max(64), z.unknown(), 32).default({}),
};

export const exportList = endpoint({
  name: 'lists.export',
  requirement: 'C042',
  audit: 'export',
  method: 'POST',
  path: '/:clusterId/api/export_list',
  summary:
    'A list of a scope as CSV or NDJSON, with the fields that are named. The file opens with its filters, row count and zone.',
  input: z.object({
    scope_id: idSchema,
    entity: z.enum(EXPORTED_LISTS),
    ...fileFields,
  }),
  output: z.unknown(),
  answer: 'blob',
  access: { kind: 'roles', in: 'scope', tags: SECURITY },
});
