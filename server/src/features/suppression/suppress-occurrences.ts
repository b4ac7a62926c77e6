import { type SignalEntity, SUPPRESSION_LIMITS, type SuppressionCondition } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { Occurrence } from '../signals/occurrence.ts';
import type { RecordingRule } from '../signals/recording-rule.ts';

// What an evaluation found, without what a suppression rule of the scope takes: that is stored apart and counted, in the
// same transaction. Nothing is read while nothing was found.

interface ActiveRule {
  readonly rule_id: string;
  readonly reason: string;
  readonly conditions: readonly SuppressionCondition[];
}

/** Occurrences that are written in one statement. */
const AT_ONCE = 200;

/** Whether all conditions hold: a suspect or target of that type is one of the values, whatever its case. */
export function conditionsHold(
  conditions: readonly SuppressionCondition[],
  named: { readonly suspects: readonly SignalEntity[]; readonly targets: readonly SignalEntity[] },
): boolean {
  return conditions.every(({ role, type, values }) => {
    const wanted = new Set(values.map((value) => value.toLowerCase()));
    const entities = role === 'suspect' ? named.suspects : named.targets;
    return entities.some((entity) => entity.type === type && wanted.has(entity.value.toLowerCase()));
  });
}

async function activeRules(
  trx: TenantTransaction,
  { clusterId, scopeId, workbookId }: RecordingRule,
  nowMs: number,
): Promise<readonly ActiveRule[]> {
  const { rows } = await sql<ActiveRule>`
    select rule_id, reason, conditions from suppression_rule
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and workbook_id = ${workbookId} and enabled
      and (expires_at is null or expires_at > ${timestamp(nowMs)})
    order by created_at, rule_id limit ${SUPPRESSION_LIMITS.rulesOfScope}`.execute(trx);
  return rows;
}

/** Stores and counts what is suppressed, and answers the rest. Doing it again for the same occurrences changes nothing. */
export async function suppressOccurrences(
  trx: TenantTransaction,
  rule: RecordingRule,
  found: readonly Occurrence[],
  nowMs: number,
): Promise<readonly Occurrence[]> {
  if (found.length === 0) return found;
  const rules = await activeRules(trx, rule, nowMs);
  if (rules.length === 0) return found;
  const taken = new Map<Occurrence, ActiveRule>();
  for (const occurrence of found) {
    const by = rules.find(({ conditions }) => conditionsHold(conditions, occurrence.finding));
    if (by) taken.set(occurrence, by);
  }
  const all = [...taken];
  for (let at = 0; at < all.length; at += AT_ONCE) await write(trx, rule, all.slice(at, at + AT_ONCE), nowMs);
  return found.filter((occurrence) => !taken.has(occurrence));
}

async function write(
  trx: TenantTransaction,
  rule: RecordingRule,
  taken: readonly (readonly [Occurrence, ActiveRule])[],
  nowMs: number,
): Promise<void> {
  const { clusterId, scopeId, workbookId, workbookName } = rule;
  // The knowledge base is read from the rule when it is asked for.
  const foundBy = storableJson({ ...recorded(rule), signal: { ...rule.signal, kb: '' } });
  const rows = taken.map(([occurrence, by]) => ({
    occurrence_id: occurrence.occurrenceId,
    rule_id: by.rule_id,
    reason: by.reason,
    occurrence,
    first_at: new Date(occurrence.firstMs).toISOString(),
    last_at: new Date(occurrence.lastMs).toISOString(),
  }));
  await sql`
    with written as (
      insert into suppressed_occurrence (cluster_id, scope_id, occurrence_id, rule_id, reason, workbook_id, workbook_name,
        found_by, occurrence, first_at, last_at, suppressed_at)
      select ${clusterId}, ${scopeId}, occurrence_id, rule_id, reason, ${workbookId}, ${workbookName}, ${foundBy}::jsonb,
        occurrence, first_at, last_at, ${timestamp(nowMs)}
      from jsonb_to_recordset(${storableJson(rows)}::jsonb) as given (occurrence_id text, rule_id text, reason text,
        occurrence jsonb, first_at timestamptz, last_at timestamptz)
      on conflict do nothing returning rule_id, last_at)
    insert into suppression_hits as old (cluster_id, scope_id, rule_id, day, hits, last_at)
    select ${clusterId}, ${scopeId}, rule_id, (${timestamp(nowMs)}::timestamptz at time zone 'UTC')::date, count(*)::integer,
      ${timestamp(nowMs)}
    from written group by rule_id order by rule_id
    on conflict (cluster_id, scope_id, rule_id, day) do update
      set hits = old.hits + excluded.hits, last_at = excluded.last_at`.execute(trx);
}

const recorded = ({
  clusterId,
  scopeId,
  workbookId,
  workbookName,
  version,
  stage,
  stream,
}: RecordingRule) => ({
  ...{ clusterId, scopeId, workbookId, workbookName },
  ...{ version, stage, stream },
});
