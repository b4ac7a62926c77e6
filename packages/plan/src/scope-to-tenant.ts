import { capRows } from './passes/cap-rows.ts';
import { extractPaths, type ValuePath } from './passes/extract-paths.ts';
import { flattenUnions } from './passes/flatten-unions.ts';
import { foldConstants } from './passes/fold-constants.ts';
import { pruneColumns } from './passes/prune-columns.ts';
import { joinSharedScalars, placeSingles } from './passes/share-tables.ts';
import type { Plan, Scalar, Scan, ScanBoundary, StoreScan, TimeRange } from './plan-node.ts';
import { constant } from './scalar.ts';
import { rewritePlan } from './walk-plan.ts';

// The one way from a plan to something that can be run. The back end takes nothing but a ScopedPlan, only this file
// can make one, and it ties every scan to a database and to scopes: to forget tenant isolation does not compile.

declare const scoped: unique symbol;

/** A plan whose every scan is tied to one tenant. */
export interface ScopedPlan extends Plan {
  readonly [scoped]: true;
}

export interface TenantBoundary {
  /** The tenant's ClickHouse database. */
  readonly database: string;
  /** The scopes that may be read; none means no rows. */
  readonly scopes: readonly string[];
  /** Further scopes of the tenant that a scan may name; a scan that names none reads `scopes`. */
  readonly reach?: readonly string[];
  /** By TimeGenerated, into every stored table. */
  readonly timeRange?: TimeRange;
  /** By IngestedTime, into every stored table. */
  readonly ingestRange?: TimeRange;
  readonly maxRows?: number;
  /** The paths of all values below dynamic columns in the events that are read, where that is known: reading costs less. */
  readonly values?: readonly ValuePath[];
}

export interface Pass {
  readonly name: string;
  readonly run: (plan: Plan) => Plan;
}

/** The passes in order, by name; tests run them one by one. */
export function passesFor(boundary: TenantBoundary): readonly Pass[] {
  const { maxRows, values } = boundary;
  return [
    { name: 'place single tables', run: placeSingles },
    { name: 'flatten unions', run: flattenUnions },
    { name: 'name the tenant', run: (plan) => nameTenant(plan, boundary) },
    { name: 'fold constants', run: foldConstants },
    { name: 'extract paths', run: (plan) => extractPaths(plan, values) },
    { name: 'join shared scalars', run: joinSharedScalars },
    { name: 'prune columns', run: pruneColumns },
    ...(maxRows === undefined ? [] : [{ name: 'cap rows', run: (plan: Plan) => capRows(plan, maxRows) }]),
    { name: 'scope to tenant', run: (plan) => tieScans(plan, boundary) },
  ];
}

/**
 * Runs the passes and ties every scan to the tenant: its database, its scopes, the time range.
 * Throws on a database name that is not plain, which would be a fault of ours; the tables of one shard are in `…@local`.
 */
export function scopeToTenant(plan: Plan, boundary: TenantBoundary): ScopedPlan {
  if (!/^[A-Za-z0-9_]{1,128}(?:@local)?$/.test(boundary.database))
    throw new Error('The database name is not plain');
  return passesFor(boundary).reduce((before, pass) => pass.run(before), plan) as ScopedPlan;
}

/** `current_database()` is the tenant; its ClickHouse database carries a prefix that is no concern of a query. */
function nameTenant(plan: Plan, { database }: TenantBoundary): Plan {
  const tenant = constant('string', database.replace(/^tenant_/, '').replace(/@local$/, ''));
  const named = (scalar: Scalar): Scalar =>
    scalar.kind === 'call' && scalar.fn === 'current_database' ? tenant : scalar;
  return { ...plan, root: rewritePlan(plan.root, (node) => node, named) };
}

function tieScans(plan: Plan, boundary: TenantBoundary): Plan {
  const { database, scopes, timeRange, ingestRange } = boundary;
  const own: ScanBoundary = {
    database,
    scopes,
    ...(timeRange ? { timeRange } : {}),
    ...(ingestRange ? { ingestRange } : {}),
  };
  return {
    ...plan,
    root: rewritePlan(plan.root, (node) =>
      node.kind === 'scan'
        ? { ...node, boundary: { ...own, scopes: scopesOf(node, boundary) } }
        : // The rows of a table have no time of their own.
          node.kind === 'store-scan'
          ? { ...node, boundary: { database, scopes: scopesOf(node, boundary) } }
          : node,
    ),
  };
}

/** A scope that a scan names and that is out of reach gives no rows. */
function scopesOf({ scope }: Scan | StoreScan, { scopes, reach = [] }: TenantBoundary): readonly string[] {
  if (scope === undefined) return scopes;
  return scopes.includes(scope) || reach.includes(scope) ? [scope] : [];
}

/** Every scope that a scoped plan reads. */
export function scopesRead(plan: ScopedPlan): readonly string[] {
  const found = new Set<string>();
  rewritePlan(plan.root, (node) => {
    if (node.kind === 'scan' || node.kind === 'store-scan')
      for (const scope of node.boundary?.scopes ?? []) found.add(scope);
    return node;
  });
  return [...found];
}
