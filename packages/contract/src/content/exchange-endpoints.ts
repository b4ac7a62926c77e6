import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { boundedRecord } from '../envelope/bounded-record.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { fromForm } from '../envelope/from-form.ts';
import { idSchema } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import { ruleFilterSchema } from '../rules/pack-endpoints.ts';
import { CONTENT_FORMATS, CONTENT_LIMITS, contentItemSchema, ITEM_DECISIONS } from './exchange.ts';

// Content as a file: out, and in with a look before anything is written.

const read = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const write = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const scope = { scope_id: idSchema };

export const downloadContent = endpoint({
  name: 'content.download',
  requirement: 'C100',
  audit: 'export',
  method: 'POST',
  path: '/:clusterId/api/entity/download',
  summary:
    'Workbooks and rules of packs as one archive (tar, tar.gz) or one YAML file; with the settings of the scope if asked for',
  input: z
    .object({
      ...scope,
      workbook_ids: z.array(idSchema).max(500).default([]),
      rule_ids: z.array(idSchema).max(500).default([]),
      /** All rules that a filter lets through. */
      rule_filter: ruleFilterSchema.optional(),
      /** What the scope changes about these rules. */
      settings: z.boolean().default(false),
      format: z.enum(CONTENT_FORMATS).default('tar.gz'),
    })
    .refine(
      ({ workbook_ids, rule_ids, rule_filter }) =>
        workbook_ids.length + rule_ids.length > 0 || rule_filter !== undefined,
      { message: reason('nothingChosen'), path: ['workbook_ids'] },
    ),
  output: z.string(),
  answer: 'blob',
  access: read,
});

export const uploadContent = endpoint({
  name: 'content.upload',
  requirement: 'C101',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/api/entity/upload',
  summary:
    'Bring in an archive (tar, tar.gz, zip) or a YAML file, as multipart/form-data. A preview writes nothing and says what is new, changed, clashing and invalid; the same file with `step=apply` does what was decided',
  input: z.object({
    ...scope,
    /** The file part of the form; in JSON, base64. */
    file: z.union([z.base64().min(4).max(480_000), z.instanceof(Uint8Array)]),
    file_name: z.string().max(300).default(''),
    step: z.enum(['preview', 'apply']).default('preview'),
    /** By item; what is absent is added when it is new, and else skipped. In a form, as JSON. */
    decisions: z.preprocess(
      fromForm,
      boundedRecord(z.string().max(40), z.enum(ITEM_DECISIONS), CONTENT_LIMITS.files).default({}),
    ),
    /** The pack of rules that stand in no folder of a pack; by the name of the file when it is empty. */
    pack: z.string().trim().max(120).default(''),
    /** Rules wait among the updates of content instead of replacing those that are there. */
    review: z.preprocess(fromForm, z.boolean().default(false)),
  }),
  output: z.object({
    step: z.enum(['preview', 'apply']),
    items: z.array(contentItemSchema),
    /** Imports of packs that were started; `rules.readImport` tells how far they are. */
    imports: z.array(z.object({ pack: z.string(), import_id: idSchema })),
  }),
  access: write,
});
