import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { likeWords, type Naming, textsNaming } from '../../platform/texts-naming.ts';

/** Workbooks of a scope, or of the whole tenant, whose blocks hold one of the words; by the word, as it is written. */
export async function workbooksNaming(
  postgres: Postgres,
  { clusterId, scopeId }: { readonly clusterId: string; readonly scopeId: string | null },
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly Naming[]>> {
  if (words.length === 0) return new Map();
  const { rows } = await postgres.inTenant(clusterId, (trx) =>
    sql<Naming & { readonly body: string }>`
      select workbook_id as id, name, search_text as body from workbook
      where cluster_id = ${clusterId} and deleted_at is null
        and (${scopeId}::text is null or scope_id = ${scopeId} or scope_id is null)
        and search_text like any(${likeWords(words)}) order by lower(name), workbook_id limit 2000`.execute(
      trx,
    ),
  );
  return textsNaming(words, rows);
}
