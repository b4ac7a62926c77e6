import { z } from 'zod';
import { type RoleTag, SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, versionNumber } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import { messageFields } from '../messages/message-values.ts';

// KQL functions saved in a tenant: every query of the tenant may name them, in all of its scopes. Engineers and content
// managers change them; what a content manager has shared into the tenant only content managers change.

const READERS: readonly RoleTag[] = [...SECURITY, 'content-manager'];
const WRITERS: readonly RoleTag[] = ['engineer', 'content-manager'];
const read = { kind: 'roles', in: 'cluster', tags: READERS } as const;
const write = { kind: 'roles', in: 'cluster', tags: WRITERS } as const;

const nameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z_]\w*$/, reason('functionName'));

const textFields = {
  name: nameSchema,
  /** As between the brackets of a let: `limit: long = 10`. */
  parameters: z.string().trim().max(4000).default(''),
  /** KQL as between the braces of a let: statements and one expression. */
  body: z.string().trim().min(1).max(16_384),
  description: z.string().trim().max(2000).default(''),
};

export const kqlFunctionSchema = z.object({
  ...textFields,
  /** Counts changes; a change names the one that it saw. */
  version: z.number().int(),
  /** Given by a content manager. */
  shared: z.boolean(),
  /** The caller may change and delete it. */
  editable: z.boolean(),
  changed_by: z.string(),
  created: epochMs,
  updated: epochMs,
});
export type KqlFunction = z.output<typeof kqlFunctionSchema>;

const versionSchema = z.object({
  ...textFields,
  version: z.number().int(),
  changed_by: z.string(),
  updated: epochMs,
});
export type KqlFunctionVersion = z.output<typeof versionSchema>;

export const listFunctions = endpoint({
  name: 'functions.list',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/wrk/api/functions',
  summary: 'The functions saved in a tenant, by name',
  input: z.object({}),
  output: z.array(kqlFunctionSchema),
  access: read,
});

export const functionVersions = endpoint({
  name: 'functions.listVersions',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/wrk/api/functions/versions',
  summary: 'Every version of a function, the newest first',
  input: z.object({ name: nameSchema }),
  output: z.array(versionSchema),
  access: read,
});

export const saveFunction = endpoint({
  name: 'functions.save',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/wrk/api/functions/save',
  summary:
    'Saves a function. A new one has no `version`; a change names the version that it saw. It is compiled first: ' +
    'mistakes, recursion and names that are taken are refused with `data.diagnostics`',
  input: z.object({ ...textFields, version: versionNumber.optional() }),
  output: z.object({
    saved: kqlFunctionSchema,
    kind: z.enum(['scalar', 'table']),
    /** Of the table that it gives; one for a scalar function. */
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    /** What is worth a second look, e.g. fields that no event has had. */
    warnings: z.array(z.string()),
  }),
  access: write,
});

export const deleteFunction = endpoint({
  name: 'functions.delete',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/wrk/api/functions/delete',
  summary: 'Deletes a function with its versions, unless another function names it',
  input: z.object({ name: nameSchema }),
  output: z.object({ name: z.string() }),
  access: write,
});

export const shareFunction = endpoint({
  name: 'functions.share',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/wrk/api/functions/share',
  summary:
    'Gives a function to other tenants of the content manager, as a new version there; from then on only content ' +
    'managers change it. A tenant that is out of reach, or has a function of that name of its own, is refused',
  input: z.object({ name: nameSchema, cluster_ids: z.array(idSchema).min(1).max(200) }),
  output: z.object({
    results: z.array(
      z.object({ cluster_id: z.string(), shared: z.boolean(), reason: z.string(), ...messageFields }),
    ),
  }),
  access: { kind: 'roles', in: 'cluster', tags: ['content-manager'] },
});
