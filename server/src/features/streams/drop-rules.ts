import type { DropRule } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { LastStep } from '../../platform/postgres/within-transaction.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// What is not stored: events of a stream, from one source of a scope or from all.

const REMEMBERED_MS = 5_000;
const MAX_REMEMBERED = 10_000;

interface DropRow {
  readonly rule_id: string;
  readonly stream: string;
  readonly source_id: string;
  readonly reason: string;
  readonly created_by: string;
  readonly created_at: number;
}

/** Streams that are not stored of a source; asked for each batch, and a few seconds old at most. */
export type DroppedStreams = (
  clusterId: string,
  scopeId: string,
  sourceId: string | null,
) => Promise<readonly string[]>;

export function createDroppedStreams({
  postgres,
  clock,
}: {
  readonly postgres: Postgres;
  readonly clock: Clock;
}): DroppedStreams {
  const known = new Map<string, { readonly value: Promise<readonly DropRow[]>; readonly untilMs: number }>();
  const rulesOf = (scope: ScopeRef): Promise<readonly DropRow[]> => {
    const key = `${scope.clusterId} ${scope.scopeId}`;
    const now = clock.now();
    const hit = known.get(key);
    if (hit && hit.untilMs > now && hit.untilMs <= now + REMEMBERED_MS) return hit.value;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const value = selectDropRules(postgres, scope);
    known.set(key, { value, untilMs: now + REMEMBERED_MS });
    value.catch(() => known.delete(key));
    return value;
  };
  return async (clusterId, scopeId, sourceId) => {
    const rules = await rulesOf({ clusterId, scopeId });
    return rules.flatMap((rule) =>
      rule.source_id === '' || rule.source_id === sourceId ? [rule.stream] : [],
    );
  };
}

export function selectDropRules(
  postgres: Postgres,
  { clusterId, scopeId }: ScopeRef,
): Promise<readonly DropRow[]> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<DropRow>`
      select rule_id, stream, source_id, reason, created_by, created_at from drop_rule
      where cluster_id = ${clusterId} and scope_id = ${scopeId} order by stream, created_at`.execute(trx);
    return rows;
  });
}

/** PostgreSQL refuses the same twice (23505). */
export function insertDropRule(
  postgres: Postgres,
  { clusterId, scopeId }: ScopeRef,
  row: DropRow,
  lastStep: LastStep,
): Promise<void> {
  return postgres.inTenant(clusterId, async (trx) => {
    await sql`insert into drop_rule (cluster_id, scope_id, rule_id, stream, source_id, reason, created_by, created_at)
      values (${clusterId}, ${scopeId}, ${row.rule_id}, ${row.stream}, ${row.source_id}, ${row.reason},
        ${row.created_by}, ${timestamp(row.created_at)})`.execute(trx);
    await lastStep(trx);
  });
}

/** The rule that went; null when there was none. */
export function deleteDropRule(
  postgres: Postgres,
  { clusterId, scopeId }: ScopeRef,
  ruleId: string,
  lastStep: LastStep<Pick<DropRow, 'stream'>>,
): Promise<Pick<DropRow, 'stream'> | null> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<Pick<DropRow, 'stream'>>`
      delete from drop_rule where cluster_id = ${clusterId} and scope_id = ${scopeId} and rule_id = ${ruleId}
      returning stream`.execute(trx);
    const [row] = rows;
    if (!row) return null;
    await lastStep(trx, row);
    return row;
  });
}

export const asDropRule = (row: DropRow, nameOf: (sourceId: string) => string | undefined): DropRule => ({
  rule_id: row.rule_id,
  stream: row.stream,
  source_id: row.source_id || null,
  source: row.source_id === '' ? null : (nameOf(row.source_id) ?? row.source_id),
  reason: row.reason,
  created: row.created_at,
  created_by: row.created_by,
});
