import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';

// Searches that run for longer than their queue takes as usual: who asked what, and stopping them.

const count = z.number().int();

/** A search of a queue is slow once it has run for so many seconds. */
export const SLOW_AFTER_S = { interactive: 10, analytics: 60, reports: 120 } as const;
export type SlowQueue = keyof typeof SLOW_AFTER_S;
export const SLOW_QUEUES = ['interactive', 'analytics', 'reports'] as const satisfies readonly SlowQueue[];

export const slowQuerySchema = z.object({
  task_id: idSchema,
  query: z.string(),
  initiator: z.string(),
  is_own: z.boolean(),
  queue: z.string(),
  /** It waits for its turn, or it runs. */
  is_waiting: z.boolean(),
  started: epochMs,
  elapsed_ms: count,
  rows_read: count,
  bytes_read: count,
  /** Share of the asked range that is read, 0 to 1. */
  share: z.number(),
});
export type SlowQuery = z.output<typeof slowQuerySchema>;

export const listSlowQueries = endpoint({
  name: 'tasks.listSlow',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/api/slow_queries/list',
  summary: 'Searches of a scope that run for longer than the limit of their queue, the longest first',
  input: z.object({ scope_id: idSchema, queue: z.enum(SLOW_QUEUES).optional() }),
  output: z.object({
    limits: z.array(z.object({ queue: z.enum(SLOW_QUEUES), seconds: count })),
    queries: z.array(slowQuerySchema),
  }),
  access: { kind: 'roles', in: 'scope', tags: SECURITY },
});

export const stopSlowQuery = endpoint({
  name: 'tasks.cancelSlow',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/api/slow_queries/stop',
  summary: 'Stops a search of the scope on the engine: analysts their own, engineers anybody’s',
  input: z.object({ scope_id: idSchema, task_id: idSchema }),
  output: z.object({ task_id: idSchema }),
  access: { kind: 'roles', in: 'scope', tags: SECURITY },
});
