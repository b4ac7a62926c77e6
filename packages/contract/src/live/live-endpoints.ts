import { z } from 'zod';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';

// What is new since a console last heard: told over a stream of server-sent events, and answered to whoever cannot keep one
// open and asks every few seconds. Neither reads a list.

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

const scopeInput = z.object({
  clusterId: idSchema.optional(),
  scope_id: idSchema.optional(),
  /** `cursor` of earlier news of this scope; absent: from now on. */
  since: z.string().max(19).regex(/^\d+$/).optional(),
});

export const newsSchema = z.object({
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
});

export const liveNews = endpoint({
  name: 'live.readNews',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/live',
  summary:
    'What is new in a scope since an earlier answer, and how many notifications are unread. A scope out of reach has no news.',
  input: scopeInput,
  output: newsSchema,
  access: { kind: 'session' },
  isPassive: true,
});

export const liveStream = endpoint({
  name: 'live.follow',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/live/stream',
  summary:
    'The same as a stream of server-sent events: `news` at once and whenever something changed, with the cursor as its id, a comment every 15 seconds, `end` when the session is over. Rights are looked at again before each. At most eight streams of a user.',
  input: scopeInput,
  output: z.unknown(),
  answer: 'sse',
  access: { kind: 'session' },
  isPassive: true,
});

export const LIVE_ENDPOINTS = [liveNews, liveStream] as const;
