import type { Directory } from '@tyrian/contract';
import type { Caller } from '../../platform/http/caller.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { WorkbookTables } from './workbook-tables.ts';

// Folders: paths of names joined by `/`. A folder exists because somebody made it or because a workbook stands in it.

const tables = (trx: TenantTransaction) => trx.withTables<WorkbookTables>();

interface InScope {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly caller: Caller;
}

/** A path and all folders above it: `a/b` gives `a` and `a/b`. */
function foldersOf(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Makes the folders of a path that are missing. */
export async function addMissingDirectories(
  trx: TenantTransaction,
  scope: InScope,
  path: string,
  nowMs: number,
): Promise<void> {
  const folders = foldersOf(path);
  if (folders.length === 0) return;
  await tables(trx)
    .insertInto('workbook_directory')
    .values(
      folders.map((folder) => ({
        cluster_id: scope.clusterId,
        scope_id: scope.scopeId,
        path: folder,
        created_by: scope.caller.name,
        created_at: timestamp(nowMs),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** All folders of a scope with the number of workbooks in each, folders of native workbooks included. */
export async function directoriesOf(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
): Promise<Directory[]> {
  const made = await tables(trx)
    .selectFrom('workbook_directory')
    .select('path')
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .execute();
  const held = await tables(trx)
    .selectFrom('workbook')
    .select((select) => ['directory', 'native', select.fn.countAll<number>().as('count')])
    .where('cluster_id', '=', clusterId)
    .where((where) => where.or([where('scope_id', '=', scopeId), where('scope_id', 'is', null)]))
    .where('deleted_at', 'is', null)
    .groupBy(['directory', 'native'])
    .execute();
  const found = new Map<string, { workbooks: number; native: boolean }>();
  for (const { directory, native } of held) {
    for (const path of foldersOf(directory)) {
      const known = found.get(path);
      found.set(path, { workbooks: 0, native: native && (known?.native ?? true) });
    }
  }
  for (const { path } of made) found.set(path, { workbooks: 0, native: false });
  for (const { directory, count } of held) {
    const folder = found.get(foldersOf(directory).at(-1) ?? '');
    if (folder) folder.workbooks += Number(count);
  }
  return [...found]
    .map(([path, folder]) => {
      const names = path.split('/');
      return { path, name: names.at(-1) ?? '', parent: names.slice(0, -1).join('/'), ...folder };
    })
    .sort((a, b) => a.path.localeCompare(b.path));
}

/** Deletes a folder's row; true when there was one. */
export async function deleteDirectoryRow(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  path: string,
): Promise<boolean> {
  const result = await tables(trx)
    .deleteFrom('workbook_directory')
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .where('path', '=', path)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
