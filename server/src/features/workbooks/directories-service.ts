import { type Directory, say } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { addMissingDirectories, deleteDirectoryRow, directoriesOf } from './directory-store.ts';
import type { Place } from './workbook-rights.ts';
import { createWorkbookTrail } from './workbook-trail.ts';

/** Folders of workbooks in a scope. */
export interface DirectoriesService {
  list(place: Place): Promise<Directory[]>;
  /** Throws `conflict` when it exists, `not-found` when the parent does not. */
  add(place: Place, name: string, parent: string): Promise<Directory>;
  /** Throws `conflict` while it holds workbooks or folders. */
  remove(place: Place, name: string, parent: string): Promise<string>;
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
    list: (place) =>
      postgres.inTenant(place.clusterId, (trx) => directoriesOf(trx, place.clusterId, place.scopeId)),
    add: (place, name, parent) =>
      postgres.inTenant(place.clusterId, async (trx) => {
        const path = joined(parent, name);
        const before = await directoriesOf(trx, place.clusterId, place.scopeId);
        if (before.some((folder) => folder.path === path)) {
          throw new AppError('conflict', say('workbooks.folderExists', { path }));
        }
        if (
          parent !== '' &&
          !before.some((folder) => folder.path === joined(parent, '').replace(/\/$/, ''))
        ) {
          throw notFound();
        }
        await addMissingDirectories(trx, place, path, clock.now());
        await note(trx, place, 'directory.add', path);
        return { path, name, parent: path.split('/').slice(0, -1).join('/'), workbooks: 0, native: false };
      }),
    remove: (place, name, parent) =>
      postgres.inTenant(place.clusterId, async (trx) => {
        const path = joined(parent, name);
        const folders = await directoriesOf(trx, place.clusterId, place.scopeId);
        const folder = folders.find((each) => each.path === path);
        if (!folder) throw notFound();
        if (folder.workbooks > 0 || folders.some((each) => each.parent === path)) {
          throw new AppError('conflict', say('workbooks.folderNotEmpty', { path }));
        }
        await deleteDirectoryRow(trx, place.clusterId, place.scopeId, path);
        await note(trx, place, 'directory.delete', path);
        return path;
      }),
  };
}
