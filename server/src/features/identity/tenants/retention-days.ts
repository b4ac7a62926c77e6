import type { Clock } from '../../../platform/clock.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { retentionOf } from './retention-rules.ts';
import { type StreamConfigRow, selectStreamConfig } from './stream-config-store.ts';

/** A change is known to every process that takes events in after this time. */
const KEPT_MS = 10_000;

/** Days for which events of a scope are kept, by stream; under the empty name those of all other streams. */
export type RetentionDays = (clusterId: string, scopeId: string) => Promise<Readonly<Record<string, number>>>;

/** By stream; 0 where nobody has said how long. */
function retentionDaysOf(rows: readonly StreamConfigRow[], scopeId: string): Record<string, number> {
  const names = ['', ...rows.map(({ stream }) => stream)];
  return Object.fromEntries(
    names.map((name) => [name, retentionOf(rows, scopeId, name).retention_days ?? 0]),
  );
}

/** What ingest writes into events as their class of retention. The lines of a tenant are kept for ten seconds. */
export function createRetentionDays(deps: {
  readonly postgres: Postgres;
  readonly clock: Clock;
}): RetentionDays {
  const known = new Map<string, { readonly untilMs: number; readonly rows: Promise<StreamConfigRow[]> }>();
  const rowsOf = (clusterId: string): Promise<StreamConfigRow[]> => {
    const now = deps.clock.now();
    const kept = known.get(clusterId);
    if (kept && kept.untilMs > now) return kept.rows;
    for (const [id, { untilMs }] of known) if (untilMs <= now) known.delete(id);
    const rows = selectStreamConfig(deps.postgres, clusterId);
    rows.catch(() => known.delete(clusterId));
    known.set(clusterId, { untilMs: now + KEPT_MS, rows });
    return rows;
  };
  return async (clusterId, scopeId) => retentionDaysOf(await rowsOf(clusterId), scopeId);
}
