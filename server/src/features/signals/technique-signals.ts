import { sql } from 'kysely';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// What ATT&CK is told of signals. Everything is read by the index over scope and time, or by ids.

interface CountedPoint {
  readonly workbook_id: string;
  readonly name: string;
  readonly time: number;
  readonly count: number;
}

export interface SignalFacts {
  readonly signal_id: string;
  readonly technique: string;
  readonly sub_technique: string;
  /** Its name, its tags, and who and what it names. */
  readonly text: string;
}

export interface TechniqueSignals {
  /** Signals since a time by technique and by sub-technique: a signal of a sub-technique counts for both. */
  counts(scope: ScopeRef, sinceMs: number): Promise<ReadonlyMap<string, number>>;
  /** Signals of a technique or a sub-technique by rule, in slices of time. */
  timeline(
    scope: ScopeRef,
    technique: string,
    range: { readonly start: number; readonly end: number; readonly intervalMs: number },
  ): Promise<readonly CountedPoint[]>;
  /** The rules that raised these signals; those that are gone are absent. */
  rulesOf(scope: ScopeRef, signalIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What signals of the scope say of themselves; those of elsewhere are absent. */
  facts(scope: ScopeRef, signalIds: readonly string[]): Promise<readonly SignalFacts[]>;
}

export function createTechniqueSignals(postgres: Postgres): TechniqueSignals {
  return bindDeps(postgres, { counts, timeline, rulesOf, facts });
}

function counts(postgres: Postgres, { clusterId, scopeId }: ScopeRef, sinceMs: number) {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{ technique: string; sub: string; n: number }>`
      select technique, sub_technique as sub, count(*) as n from signal
      where cluster_id = ${clusterId} and scope_id = ${scopeId} and last_at >= ${timestamp(sinceMs)}
        and technique <> ''
      group by technique, sub_technique`.execute(trx);
    const found = new Map<string, number>();
    for (const { technique, sub, n } of rows)
      for (const id of sub === '' ? [technique] : [technique, sub]) found.set(id, (found.get(id) ?? 0) + n);
    return found;
  });
}

function timeline(
  postgres: Postgres,
  { clusterId, scopeId }: ScopeRef,
  technique: string,
  { start, end, intervalMs }: { readonly start: number; readonly end: number; readonly intervalMs: number },
) {
  const column = sql.ref(technique.includes('.') ? 'sub_technique' : 'technique');
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<CountedPoint>`
      select workbook_id, max(workbook_name) as name, count(*) as count,
        (floor(extract(epoch from last_at) * 1000 / ${intervalMs}::float8) * ${intervalMs}::float8)::bigint as time
      from signal
      where cluster_id = ${clusterId} and scope_id = ${scopeId} and last_at >= ${timestamp(start)}
        and last_at < ${timestamp(end)} and ${column} = ${technique}
      group by workbook_id, 4 order by 4`.execute(trx);
    return rows;
  });
}

function rulesOf(postgres: Postgres, { clusterId, scopeId }: ScopeRef, signalIds: readonly string[]) {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{ id: string; rule: string }>`
      select signal_id as id, workbook_id as rule from signal
      where cluster_id = ${clusterId} and scope_id = ${scopeId}
        and signal_id = any(${[...signalIds]}::text[])`.execute(trx);
    return new Map(rows.map(({ id, rule }) => [id, rule]));
  });
}

function facts(postgres: Postgres, { clusterId, scopeId }: ScopeRef, signalIds: readonly string[]) {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<SignalFacts>`
      select signal_id, technique, sub_technique, concat_ws(' ', name, array_to_string(tags, ' '),
        (select string_agg(e ->> 'value', ' ') from jsonb_array_elements(suspects || targets) as each (e))) as text
      from signal where cluster_id = ${clusterId} and scope_id = ${scopeId}
        and signal_id = any(${[...signalIds]}::text[])`.execute(trx);
    return rows;
  });
}
