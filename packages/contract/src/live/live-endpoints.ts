import { z } from 'zod';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';

// What is new since a console last asked. Asked every few seconds by every console that is looked at, so it reads no list.

export const CASE_ACTS = [
  'create',
  'edit',
  'assign',
  'status',
  'note',
  'signals.add',
  'signals.remove',
  'entity.add',
] as const;

/** A change of a case, as others are told of it. */
export const caseChangeSchema = z.object({
  /** Told once to each reader: an answer may repeat what an earlier one said. */
  event_id: z.number().int(),
  case_id: idSchema,
  case_key: z.string(),
  act: z.enum(CASE_ACTS).catch('edit'),
  /** For `status`: where it went. */
  to: z.string().nullable(),
  actor: z.object({ user_id: idSchema, name: z.string() }).nullable(),
  time: epochMs,
});
export type CaseChange = z.output<typeof caseChangeSchema>;

export const liveNews = endpoint({
  id: 'T-live',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/live',
  summary:
    'What is new in a scope since an earlier answer, and how many notifications are unread. A scope out of reach has no news.',
  input: z.object({
    clusterId: idSchema.optional(),
    scope_id: idSchema.optional(),
    /** `cursor` of an earlier answer for this scope; absent: from now on. */
    since: z.string().max(19).regex(/^\d+$/).optional(),
  }),
  output: z.object({
    cursor: z.string(),
    unread: z.number().int(),
    /** When the newest notification came or grew; null without one. */
    newest: epochMs.nullable(),
    /** Signals raised since, newest first. */
    signal_ids: z.array(idSchema),
    /** Newest first. */
    case_changes: z.array(caseChangeSchema),
    /** There was more than fits: read the lists anew. */
    has_more: z.boolean(),
  }),
  access: { kind: 'session' },
  isPassive: true,
});

export const LIVE_ENDPOINTS = [liveNews] as const;
