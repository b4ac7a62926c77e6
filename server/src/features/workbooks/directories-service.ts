import { type Directory, say } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { addMissingDirectories, deleteDirectoryRow, directoriesOf } from './directory-store.ts';
import type { CallScope } from './workbook-rights.ts';
import { createWorkbookTrail } from './workbook-trail.ts';

/** Folders of workbooks in a scope. */
export interface DirectoriesService {
  list(scope: CallScope): Promise<Directory[]>;
  /** Throws `conflict` when it exists, `not-found` when the parent does not. */
  add(scope: CallScope, name: string, parent: string): Promise<Directory>;
  /** Throws `conflict` while it holds workbooks or folders. */
  remove(scope: CallScope, name: string, parent: string): Promise<string>;
}

const joined = (parent: string, name: string): string =>
  [...parent.split('/').filter((part) => part !== ''), name].join('/');

export function createDirectoriesService(deps: {
  readonly postgres: Postgres;
  readonly audit: AuditService;
  readonly clock: Clock;
}): DirectoriesService {
  const { postgres, clock } = deps;
  const { note } = createWorkbookTrail(deps.audit);
  return {
    list: (scope) =>
      postgres.inTenant(scope.clusterId, (trx) => directoriesOf(trx, scope.clusterId, scope.scopeId)),
    add: (scope, name, parent) =>
      postgres.inTenant(scope.clusterId, async (trx) => {
        const path = joined(parent, name);
        const before = await directoriesOf(trx, scope.clusterId, scope.scopeId);
        if (before.some((folder) => folder.path === path)) {
          throw new AppError('conflict', say('workbooks.folderExists', { path }));
        }
        if (
          parent !== '' &&
          !before.some((folder) => folder.path === joined(parent, '').replace(/\/$/, ''))
        ) {
          throw notFound();
        }
        await addMissingDirectories(trx, scope, path, clock.now());
        await note(trx, scope, 'directory.add', path);
        return { path, name, parent: path.split('/').slice(0, -1).join('/'), workbooks: 0, native: false };
      }),
    remove: (scope, name, parent) =>
      postgres.inTenant(scope.clusterId, async (trx) => {
        const path = joined(parent, name);
        const folders = await directoriesOf(trx, scope.clusterId, scope.scopeId);
        const folder = folders.find((each) => each.path === path);
        if (!folder) throw notFound();
        if (folder.workbooks > 0 || folders.some((each) => each.parent === path)) {
          throw new AppError('conflict', say('workbooks.folderNotEmpty', { path }));
        }
        await deleteDirectoryRow(trx, scope.clusterId, scope.scopeId, path);
        await note(trx, scope, 'directory.delete', path);
        return path;
      }),
  };
}
