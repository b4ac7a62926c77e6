import { allowanceOf, type PlanLimit, type ProductType } from '@tyrian/contract';
import { notFound } from '../../../platform/app-error.ts';
import type { Logger } from '../../../platform/log.ts';
import type { IdentityDb } from '../identity-tables.ts';

// What the plan of a tenant allows. `allowance` answers at once from a copy, for callers that cannot wait; the copy
// is read anew behind it and is a few seconds old at most while it is asked for.

const FRESH_MS = 10_000;

export interface PlanService {
  /** Throws AppError `not-found` for an unknown tenant. */
  planOf(clusterId: string): Promise<ProductType>;
  /** Undefined until the plan has been read once. */
  allowance(clusterId: string, limit: PlanLimit): number | undefined;
}

export function createPlanService({
  db,
  log,
}: {
  readonly db: IdentityDb;
  readonly log: Logger;
}): PlanService {
  const copies = new Map<string, { plan: ProductType | undefined; readMs: number }>();

  async function planOf(clusterId: string): Promise<ProductType> {
    const row = await db
      .selectFrom('tenant')
      .select('product_type')
      .where('cluster_id', '=', clusterId)
      .executeTakeFirst();
    if (!row) throw notFound();
    copies.set(clusterId, { plan: row.product_type, readMs: Date.now() });
    return row.product_type;
  }

  return {
    planOf,
    allowance: (clusterId, limit) => {
      const copy = copies.get(clusterId);
      if (!copy || Date.now() - copy.readMs > FRESH_MS) {
        copies.set(clusterId, { plan: copy?.plan, readMs: Date.now() });
        planOf(clusterId).catch((error: Error) =>
          log.debug({ clusterId, err: error.message }, 'the plan of a tenant could not be read'),
        );
      }
      return copy?.plan && allowanceOf(copy.plan, limit);
    },
  };
}
