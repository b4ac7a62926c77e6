import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema, pageFields, pageOf } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';
import {
  contentUpdateDetailSchema,
  contentUpdateSchema,
  SHIPPED_POLICIES,
  UPDATE_KINDS,
  UPDATE_STATES,
  updateIdSchema,
} from './content-update.ts';

// Updates of content, taken or declined one by one or all together. What a scope has changed about a rule stays.

const read = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const write = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const scope = { scope_id: idSchema };
const path = (name: string) => `/:clusterId/api/detect/workbook_updates${name}`;

export const listContentUpdates = endpoint({
  name: 'content.listUpdates',
  requirement: 'C099',
  audit: 'nothing',
  method: 'POST',
  path: path(''),
  summary:
    'What is newer than what the tenant runs: shipped detections, rules of packs that were imported for review, originals of copies',
  input: z.object({
    ...scope,
    kind: z.enum(UPDATE_KINDS).optional(),
    state: z.enum(UPDATE_STATES).default('open'),
    pageno: pageFields.pageno,
    pagesize: z.number().int().min(1).max(500).default(100),
  }),
  output: pageOf(contentUpdateSchema).extend({ policy: z.enum(SHIPPED_POLICIES) }),
  access: read,
});

export const readContentUpdate = endpoint({
  name: 'content.readUpdate',
  audit: 'nothing',
  method: 'POST',
  path: path('/read'),
  summary: 'One update with the texts before and after',
  input: z.object({ ...scope, update_id: updateIdSchema }),
  output: contentUpdateDetailSchema,
  access: read,
});

export const decideContentUpdates = endpoint({
  name: 'content.decideUpdates',
  audit: 'change',
  method: 'POST',
  path: path('/decide'),
  summary:
    'Take or decline updates: those named, or all that are open. Taking that of a copy notes that it has been looked at',
  input: z.object({
    ...scope,
    /** Absent: all that are open, of this kind if one is named. */
    update_ids: z.array(updateIdSchema).min(1).max(500).optional(),
    kind: z.enum(UPDATE_KINDS).optional(),
    take: z.boolean(),
  }),
  output: z.object({
    done: z.number().int(),
    failed: z.array(z.object({ update_id: z.string(), message: z.string(), ...messageFields })),
  }),
  access: write,
});

export const saveUpdatePolicy = endpoint({
  name: 'content.saveUpdatePolicy',
  audit: 'change',
  method: 'POST',
  path: path('/policy'),
  summary: 'Let newer shipped detections of the tenant wait for a review, or replace the older ones at once',
  input: z.object({ ...scope, shipped: z.enum(SHIPPED_POLICIES) }),
  output: z.object({ shipped: z.enum(SHIPPED_POLICIES) }),
  access: write,
});
