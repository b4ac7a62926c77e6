import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, pageFields, pageOf } from '../envelope/list-request.ts';
import { indicatorFindSchema, indicatorHuntSchema } from './enrichment.ts';

const engineer = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const analyst = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const scope = { scope_id: idSchema };
const one = { ...scope, hunt_id: idSchema };
const path = (name: string) => `/:clusterId/api/enrichment/hunt/${name}`;

export const startHunt = endpoint({
  name: 'hunts.begin',
  audit: 'change',
  method: 'POST',
  path: path('start'),
  summary: 'Look for the indicators of a list in events that are stored, as a job',
  input: z.object({ ...scope, table_id: idSchema, start: epochMs, end: epochMs }),
  output: z.object({ hunt_id: idSchema }),
  access: engineer,
});

export const listHunts = endpoint({
  name: 'hunts.list',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'What was looked for in stored events within thirty days, the newest first',
  input: z.object({ ...scope, pageno: pageFields.pageno, pagesize: pageFields.pagesize }),
  output: pageOf(indicatorHuntSchema),
  access: engineer,
});

export const readHunt = endpoint({
  name: 'hunts.read',
  audit: 'event-data',
  method: 'POST',
  path: path('read'),
  summary: 'How far it is, and which indicators were found in which events',
  input: z.object({ ...one, pageno: pageFields.pageno, pagesize: pageFields.pagesize }),
  output: z.object({
    hunt: indicatorHuntSchema,
    finds: pageOf(indicatorFindSchema),
  }),
  access: analyst,
});

export const cancelHunt = endpoint({
  name: 'hunts.cancel',
  audit: 'change',
  method: 'POST',
  path: path('cancel'),
  summary: 'Stop looking; what was found so far is kept',
  input: z.object(one),
  output: z.object({ hunt_id: idSchema }),
  access: engineer,
});
