import { z } from 'zod';
import type { Access } from '../../envelope/endpoint.ts';
import { endpoint } from '../../envelope/endpoint.ts';
import { epochMs } from '../../envelope/list-request.ts';

// How long events are kept after they came in, per stream: for the whole tenant, or for one scope, which wins.
// Where nothing is set, events are kept without end. The events of a day go together, when the whole day is older; the
// worker deletes them within the hour. The answer to a change tells how many events that will be.

const stream = z.string().trim().max(128);
const configInput = z.object({
  /** Empty: every stream that has no line of its own. */
  stream: stream.default(''),
  /** Null: back to what holds above it. */
  retention_days: z.number().int().min(1).max(3650).nullable(),
  /** True: only tell what would be deleted. */
  dry_run: z.boolean().default(false),
});

export const streamConfigSchema = z.object({
  stream: z.string(),
  /** Null: without end. */
  retention_days: z.number().int().nullable(),
  /** Where the value comes from. */
  set_in: z.enum(['scope', 'tenant', 'default']),
  changed: epochMs.nullable(),
  changed_by: z.string().nullable(),
});
export type StreamConfig = z.output<typeof streamConfigSchema>;

const list = z.object({ data: z.array(streamConfigSchema) });
const saved = z.object({ events_to_delete: z.number().int() });

const READERS: Access = { kind: 'roles', in: 'cluster', tags: ['tenant-admin', 'root', 'root-viewer'] };
const WRITERS: Access = { kind: 'roles', in: 'cluster', tags: ['tenant-admin', 'root'] };
const SCOPE_READERS: Access = {
  kind: 'roles',
  in: 'scope',
  tags: ['engineer', 'tenant-admin', 'root', 'root-viewer'],
};
const SCOPE_WRITERS: Access = { kind: 'roles', in: 'scope', tags: ['engineer', 'tenant-admin', 'root'] };

export const readStreamConfig = endpoint({
  name: 'streamConfig.read',
  requirement: 'C034',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/mgmt/core/stream-config',
  summary: 'How long the events of each stream are kept in the tenant.',
  input: z.object({}),
  output: list,
  access: READERS,
});

export const saveStreamConfig = endpoint({
  name: 'streamConfig.save',
  requirement: 'C035',
  audit: 'change',
  method: 'PUT',
  path: '/:clusterId/mgmt/core/stream-config',
  summary: 'Sets how long the events of a stream are kept in the tenant.',
  input: configInput,
  output: saved,
  access: WRITERS,
});

export const readScopeStreamConfig = endpoint({
  name: 'streamConfig.readOfScope',
  requirement: 'C036',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/mgmt/scope/:scopeId/stream-config',
  summary: 'How long the events of each stream are kept in a scope.',
  input: z.object({}),
  output: list,
  access: SCOPE_READERS,
});

export const saveScopeStreamConfig = endpoint({
  name: 'streamConfig.saveOfScope',
  requirement: 'C037',
  audit: 'change',
  method: 'PUT',
  path: '/:clusterId/mgmt/scope/:scopeId/stream-config',
  summary: 'Sets how long the events of a stream are kept in a scope.',
  input: configInput,
  output: saved,
  access: SCOPE_WRITERS,
});
