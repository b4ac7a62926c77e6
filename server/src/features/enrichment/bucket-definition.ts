import { EVENT_COLUMNS } from '@tyrian/catalog';
import { ENRICHMENT_LIMITS, enrichmentNameSchema, say } from '@tyrian/contract';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';

// A bucket in YAML: which columns of the event are looked up, and out of which rows. Names are those of the screen of the
// specification; `kql` is another word for `dql`.

const COLUMNS = new Set(EVENT_COLUMNS.map(({ name }) => name));
const name = z.string().trim().min(1).max(120);
const values = z.record(name, z.union([z.string().max(1_000), z.number(), z.boolean()])).default({});

const sourceSchema = z
  .strictObject({
    sourcetype: z.enum(['kql', 'dql', 'event_store']),
    query: z.string().max(ENRICHMENT_LIMITS.yamlLength).optional(),
    eventstore: name.optional(),
    /** Days back that a query reads which does not say so itself. */
    days: z.number().int().min(1).max(90).default(7),
    /** The column of the rows that holds the value of the event. */
    enr_key: name,
    enr_values: z
      .strictObject({
        /** The same for every row. */
        annotate: values,
        /** From the name that it gets to the column of the rows. */
        translate: z.record(name, name).default({}),
      })
      .default({ annotate: {}, translate: {} }),
  })
  .refine(({ sourcetype, query, eventstore }) =>
    sourcetype === 'event_store' ? eventstore !== undefined : query !== undefined,
  );

const bucketSchema = z.strictObject({
  bucket: enrichmentNameSchema,
  fields: z
    .array(z.string().refine((field) => COLUMNS.has(field)))
    .min(1)
    .max(20),
  'schema-version': z.union([z.string(), z.number()]).optional(),
  source: z.array(sourceSchema).min(1).max(10),
});

export type BucketDefinition = z.output<typeof bucketSchema>;
export type BucketSource = BucketDefinition['source'][number];

/** Reads a bucket. Throws AppError `bad-input` with the place of the first mistake. */
export function readBucket(yaml: string): BucketDefinition {
  const document = parseDocument(yaml, { maxAliasCount: 0 } as Parameters<typeof parseDocument>[1]);
  const [fault] = document.errors;
  if (fault) {
    const line = fault.linePos?.[0].line ?? 1;
    const [reason = ''] = fault.message.split('\n');
    throw new AppError('bad-input', say('enrichment.yamlFault', { line, reason }));
  }
  const read = bucketSchema.safeParse(document.toJS({ maxAliasCount: 0 }));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.map(String).join('.') || 'bucket';
  throw new AppError('bad-input', say('enrichment.bucketFault', { place, reason: issue?.message ?? '' }));
}
