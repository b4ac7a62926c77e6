import { type PrintedQuery, printQuery } from '@tyrian/clickhouse-sql';
import type { QueryReach } from '@tyrian/kql';
import { type Plan, scopesRead, scopeToTenant, type TimeRange, type ValuePath } from '@tyrian/plan';
import { tenantDatabase } from '../../platform/clickhouse/event-store.ts';

interface Whose {
  readonly clusterId: string;
  readonly scopes: readonly string[];
  readonly reach?: QueryReach;
  readonly ingestRange?: TimeRange;
  readonly values?: readonly ValuePath[];
}

export interface Within {
  readonly timeRange: TimeRange | undefined;
  readonly maxRows: number | undefined;
  /** Another than the tenant's own, for what is asked of one engine. */
  readonly database?: string | undefined;
}

/** A plan as SQL over the tenant's database, or another one of it, and the scopes that it reads. */
export function printForTenant(
  plan: Plan,
  { clusterId, scopes, reach, ingestRange, values }: Whose,
  { timeRange, maxRows, database = tenantDatabase(clusterId) }: Within,
): PrintedQuery & { readonly read: readonly string[] } {
  const scoped = scopeToTenant(plan, {
    database,
    scopes,
    ...(reach ? { reach: reach.scopes.map(({ id }) => id) } : {}),
    ...(timeRange ? { timeRange } : {}),
    ...(ingestRange ? { ingestRange } : {}),
    ...(values ? { values } : {}),
    ...(maxRows === undefined ? {} : { maxRows }),
  });
  return { read: scopesRead(scoped), ...printQuery(scoped) };
}
