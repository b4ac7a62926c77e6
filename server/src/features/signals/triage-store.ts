import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

// Changes of signals by people: false positive, cases, tags. Each writes history for the signals that it changed.

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
  await sql`insert into signal_history (cluster_id, signal_id, created_at, author, action, detail)
    select ${clusterId}, id, ${timestamp(act.atMs)}, ${act.author}, ${act.action}, ${act.detail}
    from unnest(${signalIds}::text[]) as id`.execute(trx);
}

/** A change of some signals of a tenant: what is set, and where it is not so already. */
interface SignalChange {
  readonly clusterId: string;
  /** Signals of other scopes stay as they are; absent where a case has been checked for its scope before. */
  readonly scopeId?: string;
  readonly signalIds: readonly string[];
  readonly set: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
  readonly act: Act;
}

/** Changes and writes history for those that changed; answers their ids. */
async function changeSignals(trx: TenantTransaction, change: SignalChange): Promise<string[]> {
  const { clusterId, scopeId, signalIds, act } = change;
  const inScope = scopeId === undefined ? sql`true` : sql`scope_id = ${scopeId}`;
  const { rows } = await sql<{ signal_id: string }>`
    update signal set ${change.set}
    where cluster_id = ${clusterId} and ${inScope} and signal_id = any(${signalIds}::text[]) and ${change.where}
    returning signal_id`.execute(trx);
  const changed = rows.map((row) => row.signal_id);
  await writeHistory(trx, clusterId, changed, act);
  return changed;
}

/** Sets or takes the tag; answers the ids that changed. */
export function setFalsePositive(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  signalIds: readonly string[],
  falsePositive: boolean,
  act: Act,
): Promise<string[]> {
  const triaged = falsePositive
    ? sql`coalesce(triaged_at, ${timestamp(act.atMs)})`
    : sql`case when cardinality(case_ids) = 0 then null else triaged_at end`;
  return changeSignals(trx, {
    clusterId,
    scopeId,
    signalIds,
    act,
    set: sql`false_positive = ${falsePositive}, triaged_at = ${triaged}`,
    where: sql`false_positive <> ${falsePositive}`,
  });
}

/**
 * Sets the tag on the signals that only this case holds, or takes it from those that got it from this case last, as
 * their history tells.
 */
export async function setFalsePositiveByCase(
  trx: TenantTransaction,
  clusterId: string,
  signalIds: readonly string[],
  falsePositive: boolean,
  caseId: string,
  act: Act,
): Promise<void> {
  const lastWord = sql`(select h.detail from signal_history h
    where h.cluster_id = signal.cluster_id and h.signal_id = signal.signal_id
      and h.action in ('false_positive', 'not_false_positive')
    order by h.entry_id desc limit 1)`;
  await changeSignals(trx, {
    clusterId,
    signalIds,
    act,
    set: sql`false_positive = ${falsePositive}`,
    where: falsePositive
      ? sql`not false_positive and case_ids = array[${caseId}::text]`
      : sql`false_positive and ${lastWord} = ${act.detail}`,
  });
}

/** Puts the case among the signals' cases. */
export async function addCase(
  trx: TenantTransaction,
  clusterId: string,
  signalIds: readonly string[],
  caseId: string,
  act: Act,
): Promise<void> {
  await changeSignals(trx, {
    clusterId,
    signalIds,
    act,
    set: sql`case_ids = case_ids || ${caseId}::text, triaged_at = coalesce(triaged_at, ${timestamp(act.atMs)})`,
    where: sql`not (${caseId} = any(case_ids))`,
  });
}

/** Takes the case from the signals; pending again when nothing else triaged them. */
export async function removeCase(
  trx: TenantTransaction,
  clusterId: string,
  signalIds: readonly string[],
  caseId: string,
  act: Act,
): Promise<void> {
  const left = sql`array_remove(case_ids, ${caseId}::text)`;
  await changeSignals(trx, {
    clusterId,
    signalIds,
    act,
    set: sql`case_ids = ${left},
      triaged_at = case when not false_positive and cardinality(${left}) = 0 then null else triaged_at end`,
    where: sql`${caseId} = any(case_ids)`,
  });
}

/** Adds and removes tags; answers the ids that changed. */
export function changeTags(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  signalIds: readonly string[],
  tags: { readonly add: readonly string[]; readonly remove: readonly string[] },
  act: Act,
): Promise<string[]> {
  return changeSignals(trx, {
    clusterId,
    scopeId,
    signalIds,
    act,
    set: sql`tags = (select coalesce(array_agg(distinct tag order by tag), '{}')
      from unnest(tags || ${tags.add}::text[]) as tag where not (tag = any(${tags.remove}::text[])))`,
    where: sql`(not (tags @> ${tags.add}::text[]) or tags && ${tags.remove}::text[])`,
  });
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
      and other.triaged_at is null and other.last_at >= ${timestamp(sinceMs)}
      and not (other.signal_id = any(${signalIds}::text[]))
      and exists (select from signal as given
        where given.cluster_id = ${clusterId} and given.scope_id = ${scopeId}
          and given.signal_id = any(${signalIds}::text[])
          and given.name = other.name and given.suspects = other.suspects and given.targets = other.targets)
    order by other.signal_id`.execute(trx);
  return rows.map((row) => row.signal_id);
}
