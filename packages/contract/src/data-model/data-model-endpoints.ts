import { z } from 'zod';
import { type RoleTag, SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema } from '../envelope/list-request.ts';
import { namedBySchema } from '../eventstores/eventstore.ts';
import {
  DATA_MODEL_LIMITS,
  FIELD_TYPES,
  fieldNameSchema,
  modelFieldSchema,
  modelRequestSchema,
  modelStreamSchema,
  REQUEST_STATES,
  streamNameSchema,
  wantedSchema,
} from './data-model.ts';

const READERS: readonly RoleTag[] = [...SECURITY, 'content-manager'];
const read = { kind: 'roles', in: 'cluster', tags: READERS } as const;
const write = { kind: 'roles', in: 'cluster', tags: ['content-manager'] } as const;
const path = (name: string) => `/:clusterId/wrk/api/data_model/${name}`;

export const readDataModel = endpoint({
  name: 'dataModel.read',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/wrk/api/data_model',
  summary: 'The streams of a tenant, and the fields that were added to them',
  input: z.object({}),
  output: z.object({
    streams: z.array(modelStreamSchema),
    fields: z.array(modelFieldSchema),
    open_requests: z.number().int(),
  }),
  access: read,
});

export const readCatalog = endpoint({
  name: 'dataModel.readCatalog',
  audit: 'nothing',
  method: 'POST',
  path: path('catalog'),
  summary:
    'What queries of a scope can name beside what every tenant has: streams, fields and uploaded tables',
  input: z.object({ scope_id: idSchema }),
  output: z.object({
    /** Equal versions mean equal catalogs. */
    version: z.string(),
    streams: z.array(z.object({ name: z.string(), description: z.string() })),
    fields: z.array(
      z.object({
        stream: z.string(),
        name: z.string(),
        /** Of KQL. */
        type: z.string(),
        description: z.string(),
        example: z.string(),
        aliases: z.array(z.string()),
      }),
    ),
    tables: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        columns: z.array(z.object({ name: z.string(), type: z.string() })),
      }),
    ),
  }),
  access: { kind: 'roles', in: 'scope', tags: READERS },
});

export const saveModelStream = endpoint({
  name: 'dataModel.saveStream',
  audit: 'change',
  method: 'POST',
  path: path('save_stream'),
  summary: 'Adds a stream, or changes the description of one that was added',
  input: z.object({
    name: streamNameSchema,
    description: z.string().trim().max(2000).default(''),
    is_new: z.boolean(),
  }),
  output: z.object({ name: z.string() }),
  access: write,
});

export const removeModelStream = endpoint({
  name: 'dataModel.removeStream',
  audit: 'change',
  method: 'POST',
  path: path('remove_stream'),
  summary: 'Removes a stream that was added, with its fields; its events stay among all events',
  input: z.object({ name: streamNameSchema, confirm_used: z.boolean().default(false) }),
  output: z.object({ name: z.string() }),
  access: write,
});

export const saveModelField = endpoint({
  name: 'dataModel.saveField',
  audit: 'change',
  method: 'POST',
  path: path('save_field'),
  summary: 'Adds a field to a stream, or changes one; a name has one type in all streams',
  input: z.object({
    stream: streamNameSchema,
    name: fieldNameSchema,
    type: z.enum(FIELD_TYPES),
    description: z.string().trim().max(2000).default(''),
    example: z.string().trim().max(500).default(''),
    aliases: z
      .array(
        z
          .string()
          .trim()
          .max(100)
          .regex(/^[\w@]+(?:[.-][\w@]+)*$/),
      )
      .max(DATA_MODEL_LIMITS.aliases)
      .default([]),
    is_new: z.boolean(),
  }),
  output: modelFieldSchema,
  access: write,
});

const oneField = { stream: streamNameSchema, name: fieldNameSchema };

export const removeModelField = endpoint({
  name: 'dataModel.removeField',
  audit: 'change',
  method: 'POST',
  path: path('remove_field'),
  summary: 'Removes a field that was added; what sources send stays below Ext',
  input: z.object({ ...oneField, confirm_used: z.boolean().default(false) }),
  output: z.object(oneField),
  access: write,
});

export const readModelUsage = endpoint({
  name: 'dataModel.readUsage',
  audit: 'nothing',
  method: 'POST',
  path: path('usage'),
  summary: 'What names a stream or a field: workbooks, rules, functions and the like of the tenant',
  input: z.object({ name: fieldNameSchema }),
  output: z.array(namedBySchema),
  access: read,
});

export const askModel = endpoint({
  name: 'dataModel.ask',
  audit: 'change',
  method: 'POST',
  path: path('ask'),
  summary: 'Asks the content managers for streams and fields; what is there or asked for already is left out',
  input: z.object({
    scope_id: idSchema,
    /** What needs them. */
    source: z.string().trim().max(200).default(''),
    wanted: z.array(wantedSchema).min(1).max(50),
  }),
  output: z.object({ request_ids: z.array(idSchema) }),
  access: { kind: 'roles', in: 'scope', tags: ['engineer'] },
});

export const listModelRequests = endpoint({
  name: 'dataModel.listRequests',
  audit: 'nothing',
  method: 'POST',
  path: path('requests'),
  summary: 'What was asked to be added to the data model, the newest first',
  input: z.object({ state: z.enum(REQUEST_STATES).optional() }),
  output: z.array(modelRequestSchema),
  access: read,
});

export const decideModelRequest = endpoint({
  name: 'dataModel.decide',
  audit: 'change',
  method: 'POST',
  path: path('decide'),
  summary:
    'Approves a request, which adds what was asked for, or refuses it with a reason; whoever asked is told',
  input: z.object({
    request_id: idSchema,
    approve: z.boolean(),
    reason: z.string().trim().max(1000).default(''),
    /** Instead of what was asked for. */
    type: z.enum(FIELD_TYPES).optional(),
    description: z.string().trim().max(2000).optional(),
  }),
  output: z.object({ request_id: idSchema }),
  access: write,
});
