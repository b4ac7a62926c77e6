import { ALL_EVENTS } from '@tyrian/catalog';
import type { Workbook } from '@tyrian/contract';
import { sql } from 'kysely';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import { lackedBy, type StoredField } from './rule-about.ts';
import type { ReachOf } from './tenant-reach.ts';

// What ATT&CK is told of rules of packs.

export interface TechniqueRule {
  readonly ruleId: string;
  readonly name: string;
  readonly pack: string;
  readonly enabled: boolean;
  readonly stage: Workbook['properties']['stage'];
  readonly techniques: readonly string[];
  /** `Events`: all. */
  readonly streams: readonly string[];
  /** It names a field that no event of the tenant has. */
  readonly lacksField: boolean;
}

export interface TechniqueRules {
  /** The rules of packs that can run and name a technique, in one statement. */
  inScope(scope: ScopeRef): Promise<readonly TechniqueRule[]>;
  /** The fields that no event of the tenant has, by rule. */
  lackedFields(
    clusterId: string,
    ruleIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>;
}

interface Deps {
  readonly postgres: Postgres;
  readonly reachOf: ReachOf;
}

export function createTechniqueRules(deps: Deps): TechniqueRules {
  return bindDeps(deps, { inScope, lackedFields });
}

function inScope({ postgres }: Deps, { clusterId, scopeId }: ScopeRef): Promise<readonly TechniqueRule[]> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<TechniqueRule>`
      select r.rule_id as "ruleId", r.title as name, p.name as pack, coalesce(s.enabled, false) as enabled,
        coalesce(s.stage, 'test') as stage, r.techniques, coalesce(r.streams, array[${ALL_EVENTS}::text]) as streams,
        r.verdict = 'missing field' as "lacksField"
      from pack_rule r join rule_pack p on p.cluster_id = r.cluster_id and p.pack_id = r.pack_id
        left join scope_rule s on s.cluster_id = r.cluster_id and s.rule_id = r.rule_id and s.scope_id = ${scopeId}
      where r.cluster_id = ${clusterId} and r.can_run and cardinality(r.techniques) > 0
        and (r.gone_at is null or s.enabled)
      order by r.title, r.rule_id`.execute(trx);
    return rows;
  });
}

async function lackedFields({ postgres, reachOf }: Deps, clusterId: string, ruleIds: readonly string[]) {
  if (ruleIds.length === 0) return new Map<string, readonly string[]>();
  const reach = await reachOf(clusterId);
  const { rows } = await postgres.inTenant(clusterId, (trx) =>
    sql<{ id: string; streams: string[] | null; fields: StoredField[] }>`
      select rule_id as id, streams, coalesce(about -> 'fields', '[]') as fields from pack_rule
      where cluster_id = ${clusterId} and rule_id = any(${[...ruleIds]}::text[])`.execute(trx),
  );
  return new Map(rows.map(({ id, streams, fields }) => [id, lackedBy(streams, fields, reach).fields]));
}
