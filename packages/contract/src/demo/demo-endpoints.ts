import { z } from 'zod';
import { ALL_ROOTS, type RoleTag } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';

// The demo company: an organization, a tenant of each product type, a user for every role, a day of events and a
// live flow. Root adds and removes it.

const WRITERS: readonly RoleTag[] = ['root', 'root-init'];

/** `filling`: the day of history is being written. */
export const DEMO_STATES = ['absent', 'filling', 'ready', 'removing'] as const;
export type DemoState = (typeof DEMO_STATES)[number];

export const demoStatusSchema = z.object({
  state: z.enum(DEMO_STATES),
  /** Events written so far, live ones included. */
  events: z.number().int(),
  /** Share of the history that is there, 0 to 1. */
  share: z.number(),
  created: z.number().int().nullable(),
  tenants: z.array(z.string()),
});
export type DemoStatus = z.output<typeof demoStatusSchema>;

/** A user of the demo. The password is told once, here. */
export const demoAccountSchema = z.object({ role: z.string(), email: z.string(), password: z.string() });
export type DemoAccount = z.output<typeof demoAccountSchema>;

export const readDemo = endpoint({
  name: 'demo.read',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/demo',
  summary: 'Whether the demo company is there and how far it is filled',
  input: z.object({}),
  output: demoStatusSchema,
  access: { kind: 'roles', in: 'platform', tags: ALL_ROOTS },
});

export const addDemo = endpoint({
  name: 'demo.add',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/demo/add',
  summary: 'Makes the demo company; answers its users with their passwords, once',
  input: z.object({}),
  output: z.object({ accounts: z.array(demoAccountSchema) }),
  access: { kind: 'roles', in: 'platform', tags: WRITERS },
});

export const removeDemo = endpoint({
  name: 'demo.remove',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/demo/remove',
  summary: 'Removes the demo company with its tenants, users and events',
  input: z.object({}),
  output: z.object({ removed_tenants: z.number().int() }),
  access: { kind: 'roles', in: 'platform', tags: WRITERS },
});
