import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, pageOf, versionNumber } from '../envelope/list-request.ts';
import {
  ENRICHMENT_FORMATS,
  ENRICHMENT_LIMITS,
  enrichmentContentSchema,
  enrichmentFactSchema,
  enrichmentNameSchema,
  enrichmentTableSchema,
  UPLOADED_KINDS,
} from './enrichment.ts';

const engineer = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const analyst = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const scope = { scope_id: idSchema };
const one = { ...scope, table_id: idSchema };
const path = (name: string) => `/:clusterId/api/enrichment/${name}`;

/** How an upload is to be read. */
const upload = {
  kind: z.enum(UPLOADED_KINDS),
  format: z.enum(ENRICHMENT_FORMATS).default('csv'),
  /** The text in parts, which are put together as they stand. */
  content: z.array(z.string().max(ENRICHMENT_LIMITS.partLength)).max(ENRICHMENT_LIMITS.parts),
  /** Of assets and identities: the column of the file that holds the key; the first when empty. */
  key_column: z.string().trim().max(120).default(''),
  confidence: z.number().int().min(0).max(100).default(50),
  expires: epochMs.nullable().default(null),
};

export const listEnrichment = endpoint({
  name: 'enrichment.list',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'The tables by which events of the scope are enriched, in the order in which they work',
  input: z.object(scope),
  output: pageOf(enrichmentTableSchema).extend({
    size_bytes: z.number().int(),
    geo: z.object({ version: z.string(), is_ready: z.boolean() }),
  }),
  access: engineer,
});

export const readEnrichment = endpoint({
  name: 'enrichment.read',
  audit: 'nothing',
  method: 'POST',
  path: path('read'),
  summary: 'A table of enrichment with its first entries',
  input: z.object(one),
  output: z.object({ table: enrichmentTableSchema, samples: enrichmentContentSchema.shape.samples }),
  access: engineer,
});

export const previewEnrichment = endpoint({
  name: 'enrichment.preview',
  audit: 'nothing',
  method: 'POST',
  path: path('preview'),
  summary: 'How an upload is read, and what of it cannot be; nothing is stored',
  input: z.object({ ...scope, ...upload }),
  output: enrichmentContentSchema,
  access: engineer,
});

export const saveEnrichment = endpoint({
  name: 'enrichment.save',
  audit: 'change',
  method: 'POST',
  path: path('save'),
  summary: 'Save a table of enrichment: a new one, another revision, or other content',
  input: z.object({
    ...scope,
    ...upload,
    /** Absent: a new one. */
    table_id: idSchema.optional(),
    revision: versionNumber.default(0),
    name: enrichmentNameSchema,
    enabled: z.boolean().default(true),
    /** Of assets and identities: columns of the event that are looked up; the usual ones when empty. */
    fields: z.array(z.string().max(80)).max(20).default([]),
    /** Null: the entries stay as they are. */
    content: upload.content.nullable().default(null),
    mode: z.enum(['replace', 'append']).default('replace'),
  }),
  output: z.object({
    table_id: idSchema,
    revision: versionNumber,
    rows: z.number().int(),
    fault_count: z.number().int(),
  }),
  access: engineer,
});

export const switchEnrichment = endpoint({
  name: 'enrichment.setEnabled',
  audit: 'change',
  method: 'POST',
  path: path('switch'),
  summary: 'Switch a table of enrichment on or off, for events that come in from now on',
  input: z.object({ ...one, enabled: z.boolean() }),
  output: z.object({ revision: versionNumber }),
  access: engineer,
});

export const removeEnrichment = endpoint({
  name: 'enrichment.remove',
  audit: 'change',
  method: 'POST',
  path: path('delete'),
  summary: 'Delete a table of enrichment; events keep what it has added',
  input: z.object(one),
  output: z.object({ table_id: idSchema }),
  access: engineer,
});

const databaseSchema = z.object({
  name: z.string(),
  provider: z.string(),
  url: z.string(),
  licence: z.string(),
  version: z.string(),
  /** The day of the data; null when the version does not say. */
  date: epochMs.nullable(),
  ranges: z.number().int(),
  is_installed: z.boolean(),
});

export const readGeoDatabases = endpoint({
  name: 'enrichment.readDatabases',
  audit: 'nothing',
  method: 'POST',
  path: path('databases'),
  summary: 'The databases by which addresses get country and autonomous system',
  input: z.object(scope),
  output: z.object({ databases: z.array(databaseSchema), memory_bytes: z.number().int() }),
  access: engineer,
});

export const lookUpAddress = endpoint({
  name: 'enrichment.findAddress',
  audit: 'nothing',
  method: 'POST',
  path: path('lookup'),
  summary: 'What would be added to an event with this address, by which step',
  input: z.object({ ...scope, address: z.string().trim().min(1).max(64) }),
  output: z.object({ facts: z.array(enrichmentFactSchema) }),
  access: engineer,
});

export const explainEnrichment = endpoint({
  name: 'enrichment.explain',
  audit: 'event-data',
  method: 'POST',
  path: path('explain'),
  summary: 'What was added to a stored event, by which step, table, key and version',
  input: z.object({
    ...scope,
    event_uid: z.guid().max(36),
    /** When it happened, in milliseconds since 1970. */
    time: epochMs,
  }),
  output: z.object({ facts: z.array(enrichmentFactSchema) }),
  access: analyst,
});

export const previewBucket = endpoint({
  name: 'buckets.preview',
  audit: 'event-data',
  method: 'POST',
  path: path('bucket/preview'),
  summary: 'The first rows that a bucket would have; nothing is stored',
  input: z.object({ ...scope, yaml: z.string().max(ENRICHMENT_LIMITS.yamlLength) }),
  output: z.object({
    name: z.string(),
    fields: z.array(z.string()),
    samples: enrichmentContentSchema.shape.samples,
  }),
  access: engineer,
});

export const saveBucket = endpoint({
  name: 'buckets.save',
  audit: 'change',
  method: 'POST',
  path: path('bucket/save'),
  summary: 'Save a bucket; it is built at once when it is on, and every midnight',
  input: z.object({
    ...scope,
    /** Absent: a new one. */
    table_id: idSchema.optional(),
    revision: versionNumber.default(0),
    yaml: z.string().max(ENRICHMENT_LIMITS.yamlLength),
    enabled: z.boolean().default(true),
  }),
  output: z.object({ table_id: idSchema, revision: versionNumber }),
  access: engineer,
});

export const rebuildBucket = endpoint({
  name: 'buckets.run',
  audit: 'change',
  method: 'POST',
  path: path('bucket/build'),
  summary: 'Build a bucket anew now, as a job',
  input: z.object(one),
  output: z.object({ table_id: idSchema }),
  access: engineer,
});
