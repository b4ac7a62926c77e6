import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { likeWords, type Naming, textsNaming } from '../../platform/texts-naming.ts';

/** Buckets of a scope, or of the whole tenant, whose definitions name one of the words; by the word, as it is written. */
export async function bucketsNaming(
  postgres: Postgres,
  { clusterId, scopeId }: { readonly clusterId: string; readonly scopeId: string | null },
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly Naming[]>> {
  if (words.length === 0) return new Map();
  const { rows } = await postgres.inTenant(clusterId, (trx) =>
    sql<Naming & { readonly body: string }>`
      select table_id as id, name, lower(yaml) as body from enrichment_table
      where cluster_id = ${clusterId} and kind = 'bucket' and (${scopeId}::text is null or scope_id = ${scopeId})
        and lower(yaml) like any(${likeWords(words)}) order by lower(name), table_id limit 2000`.execute(trx),
  );
  return textsNaming(words, rows);
}
