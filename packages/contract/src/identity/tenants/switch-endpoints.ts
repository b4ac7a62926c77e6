import { z } from 'zod';
import { ROOTS } from '../../access/role-tags.ts';
import { endpoint } from '../../envelope/endpoint.ts';
import { epochMs, idSchema } from '../../envelope/list-request.ts';

// Switches of the platform, for all clusters or one. Each does something in the running product; a change holds
// within seconds in every process.

export const SWITCHES = {
  /** A line above every page; empty for none. */
  maintenance_banner: { kind: 'text', default: '' },
  /** Detections run. */
  detections: { kind: 'flag', default: true },
  /** Events past their retention are deleted; off holds everything. */
  retention: { kind: 'flag', default: true },
  /** Mails about components are sent. */
  component_mail: { kind: 'flag', default: true },
} as const;
export type SwitchName = keyof typeof SWITCHES;
export const SWITCH_NAMES = Object.keys(SWITCHES) as [SwitchName, ...SwitchName[]];

const switchValue = z.union([z.boolean(), z.string().trim().max(300)]);

export const switchRowSchema = z.object({
  name: z.enum(SWITCH_NAMES),
  /** Null: all clusters that have no value of their own. */
  clusterId: idSchema.nullable(),
  clusterName: z.string().nullable(),
  value: switchValue,
  is_default: z.boolean(),
  changed: epochMs.nullable(),
  changed_by: z.string().nullable(),
});
export type SwitchRow = z.output<typeof switchRowSchema>;

export const listSwitches = endpoint({
  name: 'switches.list',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/switchboard',
  summary: 'Every switch with its value for all clusters, and those of clusters that differ.',
  input: z.object({}),
  output: z.object({ data: z.array(switchRowSchema) }),
  access: { kind: 'roles', in: 'platform', tags: ROOTS },
});

export const setSwitch = endpoint({
  name: 'switches.set',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/switchboard/:name',
  summary: 'Sets a switch for all clusters or for one; a null value goes back to what holds above it.',
  input: z.object({ clusterId: idSchema.nullable().default(null), value: switchValue.nullable() }),
  output: z.object({}),
  access: { kind: 'roles', in: 'platform', tags: ['root'] },
});

export const readBanner = endpoint({
  name: 'banner.read',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/banner',
  summary: 'The line that stands above every page of the clusters that the caller can reach; empty for none.',
  input: z.object({ clusterId: idSchema.optional() }),
  output: z.object({ text: z.string() }),
  access: { kind: 'session' },
});
