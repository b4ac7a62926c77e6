import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { CASE_STATUSES, SEVERITIES } from '../cases/case.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';

// One search over what a scope holds, for the command palette. Pages and actions are the console's own matter.

/** How many of each kind are answered. */
export const GLOBAL_SEARCH_LIMIT = 6;

export const globalSearch = endpoint({
  name: 'globalSearch.find',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/api/global_search',
  summary: 'Cases, signals, workbooks and entities of a scope whose name holds a text; a few of each kind.',
  input: z.object({ scope_id: idSchema, query: z.string().trim().min(2).max(200) }),
  output: z.object({
    cases: z.array(
      z.object({
        case_id: idSchema,
        case_key: z.string(),
        case_name: z.string(),
        status: z.enum(CASE_STATUSES),
        severity: z.enum(SEVERITIES),
      }),
    ),
    signals: z.array(
      z.object({ signal_id: idSchema, name: z.string(), score: z.number().int(), last_time: epochMs }),
    ),
    workbooks: z.array(z.object({ ID: idSchema, name: z.string(), directory: z.string() })),
    /** `role`: how the newest signal that names it does. */
    entities: z.array(
      z.object({
        type: z.string(),
        value: z.string(),
        role: z.enum(['suspect', 'target']),
        signal_count: z.number().int(),
      }),
    ),
  }),
  access: { kind: 'roles', in: 'scope', tags: SECURITY },
});
