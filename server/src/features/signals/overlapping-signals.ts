import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

// Which other rules have raised signals on the same events, or that name the same entities, as some signals that are not
// stored. In the caller's transaction.

export interface ComparedSignal {
  readonly entities: readonly { readonly type: string; readonly value: string }[];
  readonly eventUids: readonly string[];
}

export interface OverlapAsk {
  readonly clusterId: string;
  readonly scopeId: string;
  /** Whose signals are compared. */
  readonly ruleId: string;
  /** Signals of others that were seen in it count. */
  readonly range: { readonly from: number; readonly to: number };
  readonly signals: readonly ComparedSignal[];
}

export interface RuleOverlap {
  readonly workbookId: string;
  readonly name: string;
  readonly signals: number;
  readonly onEvents: number;
  /** Of the signals that were compared, those that it has signals on. */
  readonly shared: number;
}

/** Signals of others that are looked at; more are not counted. */
const MOST_NAMED = 50_000;
const MOST_BY_TIME = 20_000;
const RULES_TOLD = 20;

/** The rules with the most signals on the same first. */
export async function overlappingSignals(
  trx: TenantTransaction,
  { clusterId, scopeId, ruleId, range, signals }: OverlapAsk,
): Promise<readonly RuleOverlap[]> {
  if (signals.length === 0) return [];
  const named = signals.flatMap(({ entities }, n) => entities.map(({ type, value }) => ({ n, type, value })));
  const events = signals.flatMap(({ eventUids }, n) => eventUids.map((uid) => ({ n, uid })));
  const isTheirs = sql`s.scope_id = ${scopeId} and s.workbook_id <> ${ruleId}
    and s.last_at >= ${timestamp(range.from)} and s.first_at < ${timestamp(range.to)}`;
  const { rows } = await sql<RuleOverlap>`
    with mine as materialized (
      select distinct * from jsonb_to_recordset(${storableJson(named)}::jsonb) as m (n integer, type text, value text)),
    mine_on as materialized (
      select distinct * from jsonb_to_recordset(${storableJson(events)}::jsonb) as m (n integer, uid text)),
    named as materialized (
      select m.type, m.value, s.signal_id, s.workbook_id, s.workbook_name
      from (select distinct type, value from mine) m
        join signal_entity e on e.cluster_id = ${clusterId} and e.value = m.value and e.type = m.type
        join signal s on s.cluster_id = e.cluster_id and s.signal_id = e.signal_id
      where ${isTheirs} limit ${MOST_NAMED}),
    newest as materialized (
      select s.signal_id, s.workbook_id, s.workbook_name from signal s
      where s.cluster_id = ${clusterId} and ${isTheirs} order by s.last_at desc limit ${MOST_BY_TIME}),
    on_events as materialized (
      select distinct m.n, t.signal_id, t.workbook_id, t.workbook_name
      from newest t join signal_occurrence o on o.cluster_id = ${clusterId} and o.signal_id = t.signal_id
        cross join lateral unnest(o.event_uids) as u (uid) join mine_on m on m.uid = u.uid),
    theirs as (
      select signal_id, workbook_id, workbook_name, false as by_event from named
      union all select signal_id, workbook_id, workbook_name, true from on_events),
    shared as (
      select t.workbook_id, m.n from (select distinct workbook_id, type, value from named) t
        join mine m on m.type = t.type and m.value = t.value
      union select workbook_id, n from on_events)
    select t.workbook_id as "workbookId", max(t.workbook_name) as name,
      count(distinct t.signal_id)::integer as signals,
      (count(distinct t.signal_id) filter (where t.by_event))::integer as "onEvents",
      (select count(*)::integer from shared where shared.workbook_id = t.workbook_id) as shared
    from theirs t group by t.workbook_id order by shared desc, signals desc, t.workbook_id
    limit ${RULES_TOLD}`.execute(trx);
  return rows;
}
