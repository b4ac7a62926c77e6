import { sql } from 'kysely';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { LastStep } from '../../../platform/postgres/within-transaction.ts';

/**
 * Deletes the rows of a tenant, or of one of its scopes, in every table under row-level security, whichever feature
 * owns it. The list of tables comes from the database itself, so that no later feature can be forgotten. Rows of
 * tables without a scope belong to rows that have one and go with them.
 */
export async function deleteTenantRows(
  postgres: Postgres,
  clusterId: string,
  scopeId: string | null = null,
  lastStep?: LastStep,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_policy p join pg_class c on c.oid = p.polrelid
    where p.polname = 'tenant_rows' and c.relkind in ('r', 'p') and not c.relispartition
      and (${scopeId}::text is null or exists (select from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'scope_id' and not a.attisdropped))
    order by c.relname`.execute(postgres.platform);
  const ofScope = scopeId === null ? sql`` : sql` and scope_id = ${scopeId}`;
  await postgres.inTenant(clusterId, async (trx) => {
    let left = rows.map((row) => row.name);
    // A table that others point to can only follow them: go round until a round gets no further.
    while (left.length > 0) {
      const failed: string[] = [];
      for (const name of left) if (!(await tryDelete(name))) failed.push(name);
      if (failed.length === left.length) throw new Error(`cannot delete the rows of ${failed.join(', ')}`);
      left = failed;
    }
    await lastStep?.(trx);

    async function tryDelete(name: string): Promise<boolean> {
      await sql`savepoint one_table`.execute(trx);
      try {
        await sql`delete from ${sql.id(name)} where cluster_id = ${clusterId}${ofScope}`.execute(trx);
        return true;
      } catch (error) {
        if ((error as { code?: string }).code !== '23503') throw error;
        await sql`rollback to savepoint one_table`.execute(trx);
        return false;
      }
    }
  });
}
