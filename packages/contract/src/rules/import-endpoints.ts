import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema, pageFields, pageOf } from '../envelope/list-request.ts';
import { PACK_KINDS, RULE_CHANGES, ruleChangeSchema, ruleImportSchema } from './rule.ts';

// An import: begun, its archive sent in parts, started as a job, and read back with its report. Any call is refused that
// comes out of turn.

const read = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const write = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const scope = { scope_id: idSchema };
const one = { ...scope, import_id: idSchema };
const path = (name: string) => `/:clusterId/api/rules/import/${name}`;

/** What an archive may be. */
export const IMPORT_LIMITS = {
  /** Bytes of the archive as it is sent. */
  archiveBytes: 32 * 1024 * 1024,
  /** Bytes of one part. */
  partBytes: 360 * 1024,
  /** Bytes of all files together, unpacked. */
  unpackedBytes: 128 * 1024 * 1024,
  /** Files that are looked at. */
  files: 20_000,
  /** Bytes of one rule file; a longer one is invalid. */
  fileBytes: 1024 * 1024,
  /** Folders within each other. */
  depth: 32,
} as const;

const PARTS = Math.ceil(IMPORT_LIMITS.archiveBytes / IMPORT_LIMITS.partBytes);

export const beginRuleImport = endpoint({
  name: 'rules.beginImport',
  audit: 'change',
  method: 'POST',
  path: path('begin'),
  summary:
    'Begin an import into the pack of this name, which is made when there is none. Then send the archive (tar, tar.gz, zip, or one rule) in parts',
  input: z.object({
    ...scope,
    pack: z.string().trim().min(1).max(120),
    /** Of a pack that is made. */
    kind: z.enum(PACK_KINDS).default('imported'),
    /** Change nothing yet: what differs waits among the updates of content. */
    review: z.boolean().default(false),
    /** Otherwise rules that the archive does not hold stay. */
    whole: z.boolean().default(true),
  }),
  output: z.object({ import_id: idSchema, pack_id: idSchema }),
  access: write,
});

export const sendRuleImportPart = endpoint({
  name: 'rules.sendImportPart',
  audit: 'change',
  method: 'POST',
  path: path('part'),
  summary: 'Send a part of the archive; one that is sent again replaces itself',
  input: z.object({
    ...one,
    part: z
      .number()
      .int()
      .min(0)
      .max(PARTS - 1),
    bytes: z.base64().max(Math.ceil(IMPORT_LIMITS.partBytes / 3) * 4),
  }),
  output: z.object({ received: z.number().int() }),
  access: write,
});

export const startRuleImport = endpoint({
  name: 'rules.runImport',
  audit: 'change',
  method: 'POST',
  path: path('start'),
  summary: 'Start the job that reads the archive',
  input: z.object(one),
  output: ruleImportSchema,
  access: write,
});

export const cancelRuleImport = endpoint({
  name: 'rules.cancelImport',
  audit: 'change',
  method: 'POST',
  path: path('cancel'),
  summary: 'Stop an import. What it has written stays',
  input: z.object(one),
  output: ruleImportSchema,
  access: write,
});

export const readRuleImport = endpoint({
  name: 'rules.readImport',
  audit: 'nothing',
  method: 'POST',
  path: path('read'),
  summary: 'How far an import is, and its report',
  input: z.object(one),
  output: ruleImportSchema,
  access: read,
});

export const listRuleImports = endpoint({
  name: 'rules.listImports',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'The last imports of the tenant, newest first',
  input: z.object(scope),
  output: z.array(ruleImportSchema),
  access: read,
});

export const listRuleChanges = endpoint({
  name: 'rules.listChanges',
  audit: 'nothing',
  method: 'POST',
  path: path('changes'),
  summary: 'What an import changed in its pack',
  input: z.object({
    ...one,
    change: z.enum(RULE_CHANGES).optional(),
    pageno: pageFields.pageno,
    pagesize: z.number().int().min(1).max(500).default(100),
  }),
  output: pageOf(ruleChangeSchema),
  access: read,
});
