import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { SignalTables } from './signal-tables.ts';

// Changes of signals by people: false positive, cases, tags. Each writes history for the signals that it changed.

const tables = (trx: TenantTransaction) => trx.withTables<SignalTables>();

/** Who changed what, when. */
export interface Act {
  readonly author: string;
  readonly atMs: number;
  readonly action: string;
  readonly detail: string;
}

async function writeHistory(
  trx: TenantTransaction,
  clusterId: string,
  signalIds: readonly string[],
  act: Act,
): Promise<void> {
  if (signalIds.length === 0) return;
  await sql`insert into signal_history (cluster_id, signal_id, at_ms, author, action, detail)
    select ${clusterId}, id, ${act.atMs}, ${act.author}, ${act.action}, ${act.detail}
    from unnest(${signalIds}::text[]) as id`.execute(trx);
}

const idsAmong = (ids: readonly string[]) => sql<string>`any(${ids}::text[])`;

/** Sets or takes the tag; answers the ids that changed. */
export async function setFalsePositive(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  signalIds: readonly string[],
  falsePositive: boolean,
  act: Act,
): Promise<string[]> {
  const rows = await tables(trx)
    .updateTable('signal')
    .set({
      false_positive: falsePositive,
      triaged_ms: falsePositive
        ? sql`coalesce(triaged_ms, ${act.atMs})`
        : sql`case when cardinality(case_ids) = 0 then null else triaged_ms end`,
    })
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .where('signal_id', '=', idsAmong(signalIds))
    .where('false_positive', '<>', falsePositive)
    .returning('signal_id')
    .execute();
  const changed = rows.map((row) => row.signal_id);
  await writeHistory(trx, clusterId, changed, act);
  return changed;
}

/** Puts the case among the signals' cases. */
export async function addCase(
  trx: TenantTransaction,
  clusterId: string,
  signalIds: readonly string[],
  caseId: string,
  act: Act,
): Promise<void> {
  const rows = await tables(trx)
    .updateTable('signal')
    .set({
      case_ids: sql`case_ids || ${caseId}::text`,
      triaged_ms: sql`coalesce(triaged_ms, ${act.atMs})`,
    })
    .where('cluster_id', '=', clusterId)
    .where('signal_id', '=', idsAmong(signalIds))
    .where(sql<boolean>`not (${caseId} = any(case_ids))`)
    .returning('signal_id')
    .execute();
  await writeHistory(
    trx,
    clusterId,
    rows.map((row) => row.signal_id),
    act,
  );
}

/** Takes the case from the signals; pending again when nothing else triaged them. */
export async function removeCase(
  trx: TenantTransaction,
  clusterId: string,
  signalIds: readonly string[],
  caseId: string,
  act: Act,
): Promise<void> {
  const rows = await tables(trx)
    .updateTable('signal')
    .set({
      case_ids: sql`array_remove(case_ids, ${caseId}::text)`,
      triaged_ms: sql`case when not false_positive and cardinality(array_remove(case_ids, ${caseId}::text)) = 0
        then null else triaged_ms end`,
    })
    .where('cluster_id', '=', clusterId)
    .where('signal_id', '=', idsAmong(signalIds))
    .where(sql<boolean>`${caseId} = any(case_ids)`)
    .returning('signal_id')
    .execute();
  await writeHistory(
    trx,
    clusterId,
    rows.map((row) => row.signal_id),
    act,
  );
}

/** Adds and removes tags; answers the ids that changed. */
export async function changeTags(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  signalIds: readonly string[],
  tags: { readonly add: readonly string[]; readonly remove: readonly string[] },
  act: Act,
): Promise<string[]> {
  const after = sql<string[]>`(select coalesce(array_agg(distinct tag order by tag), '{}')
    from unnest(tags || ${tags.add}::text[]) as tag where not (tag = any(${tags.remove}::text[])))`;
  const rows = await tables(trx)
    .updateTable('signal')
    .set({ tags: after })
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .where('signal_id', '=', idsAmong(signalIds))
    .where(sql<boolean>`(not (tags @> ${tags.add}::text[]) or tags && ${tags.remove}::text[])`)
    .returning('signal_id')
    .execute();
  const changed = rows.map((row) => row.signal_id);
  await writeHistory(trx, clusterId, changed, act);
  return changed;
}

/** Pending signals, not among the given, that have the finding of one of them and are not older than `sinceMs`. */
export async function similarSignals(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  signalIds: readonly string[],
  sinceMs: number,
): Promise<string[]> {
  const { rows } = await sql<{ signal_id: string }>`
    select other.signal_id from signal as other
    where other.cluster_id = ${clusterId} and other.scope_id = ${scopeId}
      and other.triaged_ms is null and other.last_ms >= ${sinceMs}
      and not (other.signal_id = any(${signalIds}::text[]))
      and exists (select from signal as given
        where given.cluster_id = ${clusterId} and given.scope_id = ${scopeId}
          and given.signal_id = any(${signalIds}::text[])
          and given.name = other.name and given.suspects = other.suspects and given.targets = other.targets)
    order by other.signal_id`.execute(trx);
  return rows.map((row) => row.signal_id);
}
