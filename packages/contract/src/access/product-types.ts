// The three product types of a cluster, and where a user is sent who needs a larger one.

export const PRODUCT_TYPES = ['essential', 'professional', 'enterprise'] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

/** The plan to offer when `current` is not among `allowed` (specification, section 5). */
export function upgradePlan(current: ProductType, allowed: readonly ProductType[]): ProductType {
  return current === 'essential' && allowed.includes('professional') ? 'professional' : 'enterprise';
}
