import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { type PreviewKey, writeCpu } from './preview-store.ts';
import { type QueryNames, queryPrefix } from './query-names.ts';

// What the queries of a preview took of the engine, from the engine's own log, which it writes some seconds after they have
// ended.

const LOGGED = `SELECT toInt32OrZero(splitByChar('-', initial_query_id)[3]) AS position,
  uniqExact(splitByChar('-', initial_query_id)[4]) AS queries,
  sum(ProfileEvents['UserTimeMicroseconds'] + ProfileEvents['SystemTimeMicroseconds']) / 1000 AS cpu
FROM system.query_log
WHERE event_date >= toDate(now() - {seconds:UInt32}) AND event_time >= now() - {seconds:UInt32}
  AND type != 'QueryStart' AND startsWith(initial_query_id, {prefix:String})
GROUP BY position`;

interface LoggedCost {
  /** Processor time in milliseconds by the position of the rule. */
  readonly cpu: ReadonlyMap<number, number>;
  readonly queries: number;
}

/** What the engine has logged of the queries of a preview that ended within a time. */
async function loggedCost(
  events: Pick<EventStore, 'systemRows'>,
  previewId: string,
  withinMs: number,
): Promise<LoggedCost> {
  const params = { seconds: Math.ceil(withinMs / 1000) + 60, prefix: queryPrefix(previewId) };
  const rows = await events.systemRows<{ position: number; queries: number; cpu: number }>(LOGGED, params);
  const cpu = new Map<number, number>();
  // Of a cluster each shard has rows.
  for (const row of rows) cpu.set(row.position, (cpu.get(row.position) ?? 0) + Number(row.cpu));
  const queries = rows.reduce((sum, row) => sum + Number(row.queries), 0);
  return { cpu, queries };
}

/** How often, and how many times at most, the engine is asked. */
const ASK_AGAIN_MS = 2_500;
const MOST_ASKED = 10;

interface CostDeps {
  readonly postgres: Postgres;
  readonly events: Pick<EventStore, 'systemRows'>;
  readonly log: Logger;
}

/** Writes what the rules of a preview cost, once the engine has logged its last queries or does not do so. */
export async function settleCost(
  { postgres, events, log }: CostDeps,
  key: PreviewKey,
  of: { readonly sinceMs: number; readonly names: QueryNames; readonly signal: AbortSignal },
): Promise<void> {
  for (let asked = 1; asked <= MOST_ASKED && !of.signal.aborted; asked += 1) {
    const cost = await loggedCost(events, key.previewId, of.sinceMs + asked * ASK_AGAIN_MS).catch(
      (error: Error) => {
        log.info({ err: error.message }, 'the engine does not tell what a preview cost');
        return null;
      },
    );
    if (!cost) return;
    const isAll = cost.queries >= of.names.count;
    if (isAll || asked === MOST_ASKED) {
      if (cost.cpu.size > 0) await postgres.inTenant(key.clusterId, (trx) => writeCpu(trx, key, cost.cpu));
      return;
    }
    await pause(ASK_AGAIN_MS, undefined, { signal: of.signal }).catch(() => undefined);
  }
}
