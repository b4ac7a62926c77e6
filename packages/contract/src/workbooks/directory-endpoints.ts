import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';

// Folders of workbooks. A folder is known by its path: names joined by `/`.

const access = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const folderName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^/]+$/, reason('folderName'));
const folderPath = z.string().trim().max(300).default('');

export const directorySchema = z.object({
  /** Full path, e.g. `Detections/Windows`. */
  path: z.string(),
  name: z.string(),
  /** Path of the folder above; empty at the root. */
  parent: z.string(),
  workbooks: z.number().int(),
  /** Made by Tyrian for its own detections. */
  native: z.boolean(),
});
export type Directory = z.output<typeof directorySchema>;

export const listDirectories = endpoint({
  name: 'directories.list',
  requirement: 'C102',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/api/directory/list',
  summary: 'Folders of workbooks in a scope',
  input: z.object({ scope_id: idSchema }),
  output: z.array(directorySchema),
  access,
});

export const addDirectory = endpoint({
  name: 'directories.add',
  requirement: 'C103',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/api/directory/add',
  summary: 'Make a folder',
  input: z.object({ scope_id: idSchema, name: folderName, parent: folderPath }),
  output: directorySchema,
  access,
});

export const deleteDirectory = endpoint({
  name: 'directories.delete',
  requirement: 'C104',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/api/directory/delete',
  summary: 'Delete an empty folder; refused with 409 while it holds anything',
  input: z.object({ scope_id: idSchema, name: folderName, parent: folderPath }),
  output: z.object({ path: z.string() }),
  access,
});
