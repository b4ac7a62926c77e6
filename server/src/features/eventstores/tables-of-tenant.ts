import type { UploadedTable } from '@tyrian/catalog';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { listStores } from './eventstore-store.ts';

/** The uploaded tables of all scopes of a tenant, for the compiler. */
export async function uploadedTablesOf(
  postgres: Postgres,
  clusterId: string,
): Promise<readonly UploadedTable[]> {
  const stores = await postgres.inTenant(clusterId, (trx) => listStores(trx, { clusterId, scopeId: null }));
  return stores
    .filter(({ columns }) => columns.length > 0)
    .map(({ name, store_id: id, scope_id: scope, description, uploads, columns }) => ({
      ...{ name, id, scope, description, uploads, columns },
    }));
}
