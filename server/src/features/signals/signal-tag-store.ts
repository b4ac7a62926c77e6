import type { SignalTag } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { SignalTables } from './signal-tables.ts';

const tables = (trx: TenantTransaction) => trx.withTables<SignalTables>();

/** The colour of a tag that nobody has made by hand: detections bring their own. */
const PLAIN = '#868e96';

/** Tags of a scope, made by hand or carried by a signal, with the number of signals. */
export async function tagsOf(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
): Promise<SignalTag[]> {
  const made = await tables(trx)
    .selectFrom('signal_tag')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .execute();
  const { rows } = await sql<{ tag: string; count: number }>`
    select tag, count(*) as count from signal, unnest(tags) as tag
    where cluster_id = ${clusterId} and scope_id = ${scopeId} group by tag`.execute(trx);
  const tags = new Map<string, SignalTag>(
    rows.map(({ tag, count }) => [tag, { tag, colour: PLAIN, created_by: '', count: Number(count) }]),
  );
  for (const row of made) {
    const count = tags.get(row.tag)?.count ?? 0;
    tags.set(row.tag, { tag: row.tag, colour: row.colour, created_by: row.created_by, count });
  }
  return [...tags.values()].sort((a, b) => a.tag.localeCompare(b.tag));
}

/** Makes a tag; false when the scope has it already. */
export async function insertTag(
  trx: TenantTransaction,
  tag: {
    readonly clusterId: string;
    readonly scopeId: string;
    readonly tag: string;
    readonly colour: string;
    readonly author: string;
    readonly nowMs: number;
  },
): Promise<boolean> {
  const result = await tables(trx)
    .insertInto('signal_tag')
    .values({
      cluster_id: tag.clusterId,
      scope_id: tag.scopeId,
      tag: tag.tag,
      colour: tag.colour,
      created_by: tag.author,
      created_at: timestamp(tag.nowMs),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
