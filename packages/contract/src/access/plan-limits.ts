import type { ProductType } from './product-types.ts';

// What a plan allows a tenant to have or to do, and whose count it is. Server and upgrade page read this table.

export const PLAN_LIMITS = {
  streamed_workbooks: { essential: 100, professional: 200, enterprise: 500 },
  concurrent_searches: { essential: 20, professional: 40, enterprise: 60 },
  tracked_signals: { essential: 100_000, professional: 1_000_000, enterprise: 10_000_000 },
  scheduled_reports: { essential: 5, professional: 10, enterprise: 15 },
  automation_endpoints: { essential: 5, professional: 10, enterprise: 25 },
  invocations_per_day: { essential: 1_000, professional: 5_000, enterprise: 10_000 },
  custom_extractors: { essential: 0, professional: 15, enterprise: 30 },
  custom_enrichments: { essential: 0, professional: 2, enterprise: 5 },
  users: { essential: 5, professional: 10, enterprise: 15 },
} as const satisfies Readonly<Record<string, Readonly<Record<ProductType, number>>>>;

export type PlanLimit = keyof typeof PLAN_LIMITS;

/** In the order in which pages show them. */
export const PLAN_LIMIT_NAMES = Object.keys(PLAN_LIMITS) as readonly PlanLimit[];

/** How much of `limit` a plan allows. */
export function allowanceOf(plan: ProductType, limit: PlanLimit): number {
  return PLAN_LIMITS[limit][plan];
}
