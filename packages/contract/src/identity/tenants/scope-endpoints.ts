import { z } from 'zod';
import { endpoint } from '../../envelope/endpoint.ts';
import { idSchema } from '../../envelope/list-request.ts';

// Three near-identical paths: with the slash at the end a scope is saved, with its id and `/status` switched, and
// without the slash deleted. A body that looks like a save is refused where scopes are deleted.

const scopeName = z.string().trim().min(1).max(128);

/** Who may change scopes. */
const ADMINISTRATION = { kind: 'roles', in: 'cluster', tags: ['tenant-admin', 'root'] } as const;

export const saveScope = endpoint({
  name: 'scopes.save',
  requirement: 'C021',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/mgmt/scope/',
  summary: 'Makes a scope, or renames the one whose id is given. Mind the slash at the end.',
  input: z.strictObject({
    action: z.literal('save').optional(),
    /** Absent: a new scope. */
    scope_id: idSchema.optional(),
    scope_name: scopeName,
  }),
  output: z.object({ scope_id: idSchema, scope_name: z.string(), is_enabled: z.boolean() }),
  access: ADMINISTRATION,
});

export const setScopeStatus = endpoint({
  name: 'scopes.setStatus',
  requirement: 'C022',
  audit: 'change',
  method: 'PUT',
  path: '/:clusterId/mgmt/scope/:scopeId/status',
  summary: 'Enables or disables a scope. A disabled scope keeps its data, is hidden and takes nothing in.',
  input: z.object({ is_enabled: z.boolean() }),
  output: z.object({ scope_id: idSchema, is_enabled: z.boolean() }),
  access: ADMINISTRATION,
});

export const deleteScope = endpoint({
  name: 'scopes.delete',
  requirement: 'C023',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/mgmt/scope',
  summary: 'Deletes a disabled scope with everything in it. Mind that there is no slash at the end.',
  input: z.strictObject({ action: z.literal('delete').optional(), scope_id: idSchema }),
  output: z.object({ scope_id: idSchema }),
  access: ADMINISTRATION,
});
