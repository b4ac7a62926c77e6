import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';

// What everybody with a role in a scope may see of it at a glance: figures, never single events.

const count = z.number().int();
const ranked = z.array(z.object({ name: z.string(), count }));

export const SCORE_BANDS = ['critical', 'high', 'medium', 'low'] as const;
export type ScoreBand = (typeof SCORE_BANDS)[number];

export const scopeOverview = endpoint({
  name: 'overview.read',
  audit: 'event-data',
  method: 'POST',
  path: '/:clusterId/wrk/api/overview',
  summary: 'Events over time by stream, signals by score band, top detections and sources of a scope.',
  input: z
    .object({ scope_id: idSchema, start: epochMs, end: epochMs })
    .refine((input) => input.start < input.end, { message: reason('startBeforeEnd'), path: ['end'] }),
  output: z.object({
    /** Width of a slice in milliseconds; slices begin at multiples of it. */
    interval_ms: count,
    /** Without the stream Signals. A slice without events is absent. */
    events: z.array(z.object({ stream: z.string(), time: epochMs, count })),
    totals: z.object({ events: count, signals: count, sources: count, unparsed: count }),
    /** By score: 9-10 critical, 7-8 high, 4-6 medium, 1-3 low. */
    signals: z.record(z.enum(SCORE_BANDS), count),
    top_detections: ranked,
    top_sources: ranked,
    top_hosts: ranked,
    /** Sources that sent events in the range and nothing in its last hour, the one silent longest first. */
    silent_sources: z.array(z.object({ name: z.string(), last_event: epochMs })),
  }),
  access: { kind: 'roles', in: 'scope', tags: [...SECURITY, 'viewer'] },
});
export type ScopeOverview = z.output<typeof scopeOverview.output>;
