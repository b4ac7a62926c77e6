// Which tenants have asked a moment ago: what the processors are shared by.

/** A tenant that asked so long ago is expected to ask again. */
const RECENT_MS = 10_000;

export interface RecentTenants {
  asked(clusterId: string): void;
  /** Whether another tenant has asked a moment ago. */
  hasOther(clusterId: string): boolean;
}

/** `nowMs` is a clock that never goes back. */
export function createRecentTenants(nowMs: () => number): RecentTenants {
  // The last two tell for every tenant whether there was another.
  let last: readonly { readonly clusterId: string; readonly atMs: number }[] = [];
  return {
    asked: (clusterId) => {
      const other = last.find((one) => one.clusterId !== clusterId);
      last = [{ clusterId, atMs: nowMs() }, ...(other ? [other] : [])];
    },
    hasOther: (clusterId) =>
      last.some((one) => one.clusterId !== clusterId && nowMs() - one.atMs < RECENT_MS),
  };
}
