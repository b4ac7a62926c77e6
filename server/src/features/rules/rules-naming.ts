import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { type Naming, textsNaming } from '../../platform/texts-naming.ts';

/** Rules that a tenant wrote whose query holds one of the words; by the word, as it is written. */
export async function ownRulesNaming(
  postgres: Postgres,
  clusterId: string,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly Naming[]>> {
  if (words.length === 0) return new Map();
  const { rows } = await postgres.inTenant(clusterId, (trx) =>
    sql<Naming & { readonly body: string }>`
      select r.rule_id as id, r.title as name, lower(t.body) as body from own_rule o
      join pack_rule r on r.cluster_id = o.cluster_id and r.rule_id = o.rule_id
      join rule_text t on t.text_hash = coalesce(r.kql_hash, r.text_hash)
      where o.cluster_id = ${clusterId} order by lower(r.title), r.rule_id limit 2000`.execute(trx),
  );
  return textsNaming(words, rows);
}
