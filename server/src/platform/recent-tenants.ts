import { keepNewest } from './keep-newest.ts';

// Which tenants have asked a moment ago, and how long their work took (queries, texts to compile, bodies to decode): what the
// processors are shared by.

/** A tenant that asked so long ago is expected to ask again. */
const RECENT_MS = 10_000;

/** What a tenant used counts half after this time. */
const HALVED_MS = 5_000;
/** Half of what queries of a tenant take that runs one after the other without a pause. */
const MUCH_MS = (0.5 * HALVED_MS) / Math.LN2;
/** More than this is not remembered: however long a query took, half a minute later its tenant is one like any other. */
const MAX_MS = 30_000;
const MAX_KNOWN = 1_000;

export interface RecentTenants {
  asked(clusterId: string): void;
  /** Whether another tenant has asked a moment ago. */
  hasOther(clusterId: string): boolean;
  /** Work of the tenant begins; call the answer at its end. */
  began(clusterId: string): () => void;
  /** Work of the tenant has taken so long. */
  used(clusterId: string, ms: number): void;
  /** Whether work of the tenant has run for much of the last seconds, all of them together. */
  hasUsedMuch(clusterId: string): boolean;
}

/** `nowMs` is a clock that never goes back. */
export function createRecentTenants(nowMs: () => number): RecentTenants {
  // The last two tell for every tenant whether there was another.
  let last: readonly { readonly clusterId: string; readonly atMs: number }[] = [];
  const uses = new Map<string, { readonly ms: number; readonly atMs: number }>();
  const running = new Map<string, Set<{ readonly atMs: number }>>();
  const endedOf = (clusterId: string): number => {
    const use = uses.get(clusterId);
    return use ? use.ms * 0.5 ** ((nowMs() - use.atMs) / HALVED_MS) : 0;
  };
  const keep = (clusterId: string, ms: number): void => {
    keepNewest(uses, clusterId, { ms: Math.min(ms, MAX_MS), atMs: nowMs() }, MAX_KNOWN);
  };
  const used = (clusterId: string, ms: number): void => keep(clusterId, endedOf(clusterId) + ms);
  return {
    used,
    began: (clusterId) => {
      const one = { atMs: nowMs() };
      const all = running.get(clusterId) ?? new Set();
      running.set(clusterId, all.add(one));
      return () => {
        used(clusterId, nowMs() - one.atMs);
        all.delete(one);
        if (all.size === 0 && running.get(clusterId) === all) running.delete(clusterId);
      };
    },
    hasUsedMuch: (clusterId) => {
      let ms = endedOf(clusterId);
      for (const { atMs } of running.get(clusterId) ?? []) ms += nowMs() - atMs;
      return ms > MUCH_MS;
    },
    asked: (clusterId) => {
      const other = last.find((one) => one.clusterId !== clusterId);
      last = [{ clusterId, atMs: nowMs() }, ...(other ? [other] : [])];
    },
    hasOther: (clusterId) =>
      last.some((one) => one.clusterId !== clusterId && nowMs() - one.atMs < RECENT_MS),
  };
}
