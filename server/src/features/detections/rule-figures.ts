import { sql } from 'kysely';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestampList } from '../../platform/postgres/timestamp.ts';
import { inQueue } from './due-queue.ts';
import { type HourCost, isTooExpensive, setAsideExpensive } from './quarantine.ts';
import type { RuleKey } from './rule-store.ts';

// What rules cost, by hour. Every run adds to sums in memory; once a minute they are written for all tenants in one
// statement, and nothing is when nothing ran. A crash takes the sums of a minute with it: they are figures, the ledger is
// not. Processor time is what the engine has logged of a query, some seconds after it has ended; where it logs nothing, the
// time that the query took stands for it.

/** The queries that look for many rules at once, in lists of costs. */
export const SHARED_PASS = '';

export interface RuleRun {
  readonly rule: RuleKey & { readonly name: string };
  readonly isRerun: boolean;
  readonly isFailed: boolean;
  readonly rows: number;
  readonly queryMs: number;
  /** As `nameQuery` gave it. */
  readonly query: string;
}

export interface SharedRun {
  /** The scopes for which was looked, with the number of their rules. */
  readonly scopes: ReadonlyMap<string, number>;
  readonly clusterId: string;
  readonly queryMs: number;
  readonly query: string;
}

export interface RuleFigures {
  /** A name that the queries of one run begin with on the engine. */
  nameQuery(): string;
  noteRun(run: RuleRun): void;
  noteShared(run: SharedRun): void;
  /** Writes what was noted; resolves with the number of rows. */
  flush(isLast?: boolean): Promise<number>;
}

interface Sum extends RuleKey {
  readonly name: string;
  readonly hourMs: number;
  runs: number;
  failures: number;
  reruns: number;
  rows: number;
  queryMs: number;
  cpuMs: number;
}

/** A run whose processor time is not known yet, and whose it is. */
interface Open {
  readonly queryMs: number;
  /** Milliseconds of this process. */
  readonly sinceMs: number;
  readonly shares: readonly { readonly key: RuleKey & { readonly name: string }; readonly share: number }[];
  readonly hourMs: number;
}

interface FigureDeps {
  readonly postgres: Postgres;
  readonly events: Pick<EventStore, 'systemRows'>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface FigureParts extends FigureDeps {
  /** Names the queries of this process on the engine. */
  readonly owner: string;
  sums: Map<string, Sum>;
  readonly open: Map<string, Open>;
  count: number;
}

const HOUR_MS = 3_600_000;
/** The engine writes its log every few seconds; only then is it asked. */
const LOGGED_AFTER_MS = 15_000;
/** What the engine has not logged by then it does not log. */
const GIVEN_UP_MS = 180_000;
const ROWS_AT_ONCE = 5_000;

export function createRuleFigures(deps: FigureDeps): RuleFigures {
  const parts: FigureParts = { ...deps, owner: newId(), sums: new Map(), open: new Map(), count: 0 };
  return bindDeps(parts, { nameQuery, noteRun, noteShared, flush });
}

function nameQuery(parts: FigureParts): string {
  parts.count += 1;
  return `rule-${parts.owner}-${parts.count}`;
}

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;

function sumOf(parts: FigureParts, key: RuleKey & { readonly name: string }, hourMs: number): Sum {
  const { clusterId, scopeId, workbookId, name } = key;
  const id = `${clusterId}\0${scopeId}\0${workbookId}\0${hourMs}`;
  const figures = { runs: 0, failures: 0, reruns: 0, rows: 0, queryMs: 0, cpuMs: 0 };
  const sum = parts.sums.get(id) ?? { clusterId, scopeId, workbookId, name, hourMs, ...figures };
  parts.sums.set(id, sum);
  return sum;
}

function noteRun(parts: FigureParts, { rule, isRerun, isFailed, rows, queryMs, query }: RuleRun): void {
  const hourMs = hourOf(parts.clock.now());
  const sum = sumOf(parts, rule, hourMs);
  sum.runs += 1;
  sum.failures += isFailed ? 1 : 0;
  sum.reruns += isRerun ? 1 : 0;
  sum.rows += rows;
  sum.queryMs += queryMs;
  const shares = [{ key: { ...keyOf(rule), name: rule.name }, share: 1 }];
  parts.open.set(query, { queryMs, sinceMs: performance.now(), shares, hourMs });
}

const keyOf = ({ clusterId, scopeId, workbookId }: RuleKey): RuleKey => ({ clusterId, scopeId, workbookId });

function noteShared(parts: FigureParts, { scopes, clusterId, queryMs, query }: SharedRun): void {
  const hourMs = hourOf(parts.clock.now());
  const all = [...scopes.values()].reduce((sum, count) => sum + count, 0);
  const shares = [...scopes].map(([scopeId, count]) => ({
    key: { clusterId, scopeId, workbookId: SHARED_PASS, name: '' },
    share: count / all,
  }));
  for (const { key, share } of shares) {
    const sum = sumOf(parts, key, hourMs);
    sum.runs += 1;
    sum.queryMs += queryMs * share;
  }
  parts.open.set(query, { queryMs, sinceMs: performance.now(), shares, hourMs });
}

/** Asks the engine once for the processor time of all runs that have ended some time ago. */
async function settle(parts: FigureParts, isLast: boolean): Promise<void> {
  const { open, log } = parts;
  const nowMs = performance.now();
  const due = [...open].filter(([, one]) => isLast || nowMs - one.sinceMs >= LOGGED_AFTER_MS);
  if (due.length === 0) return;
  const oldestMs = Math.max(...due.map(([, one]) => nowMs - one.sinceMs + one.queryMs));
  const logged = await loggedTimes(parts, oldestMs).catch((error: Error) => {
    log.info({ err: error.message }, 'the engine does not tell what rules cost');
    return new Map<string, number>();
  });
  for (const [query, { queryMs, sinceMs, shares, hourMs }] of due) {
    const cpuMs = logged.get(query);
    if (cpuMs === undefined && !isLast && nowMs - sinceMs < GIVEN_UP_MS) continue;
    open.delete(query);
    for (const { key, share } of shares) sumOf(parts, key, hourMs).cpuMs += (cpuMs ?? queryMs) * share;
  }
}

const LOGGED = `SELECT arrayStringConcat(arraySlice(splitByChar('-', initial_query_id), 1, 3), '-') AS query,
  sum(ProfileEvents['UserTimeMicroseconds'] + ProfileEvents['SystemTimeMicroseconds']) / 1000 AS cpu
FROM system.query_log
WHERE event_date >= toDate(now() - {seconds:UInt32}) AND event_time >= now() - {seconds:UInt32}
  AND type != 'QueryStart' AND startsWith(initial_query_id, {prefix:String})
GROUP BY query`;

/** Processor time by the name of the run, of queries that ended within a time. */
async function loggedTimes(
  { events, owner }: FigureParts,
  withinMs: number,
): Promise<ReadonlyMap<string, number>> {
  const seconds = Math.ceil(withinMs / 1000) + 60;
  const rows = await events.systemRows<{ query: string; cpu: number }>(LOGGED, {
    seconds,
    prefix: `rule-${owner}-`,
  });
  const found = new Map<string, number>();
  // Of a cluster each shard has a row.
  for (const { query, cpu } of rows) found.set(query, (found.get(query) ?? 0) + Number(cpu));
  return found;
}

async function flush(parts: FigureParts, isLast = false): Promise<number> {
  await settle(parts, isLast);
  const rows = [...parts.sums.values()];
  if (rows.length === 0) return 0;
  parts.sums = new Map();
  const expensive: HourCost[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    try {
      expensive.push(...(await write(parts, rows.slice(from, from + ROWS_AT_ONCE))));
    } catch (error) {
      putBack(parts, rows.slice(from));
      throw error;
    }
  }
  for (const cost of expensive) await setAsideExpensive(parts, cost);
  return rows.length;
}

/** Keeps sums that could not be written for the next time. */
function putBack(parts: FigureParts, sums: readonly Sum[]): void {
  for (const one of sums) {
    const sum = sumOf(parts, one, one.hourMs);
    sum.runs += one.runs;
    sum.failures += one.failures;
    sum.reruns += one.reruns;
    sum.rows += one.rows;
    sum.queryMs += one.queryMs;
    sum.cpuMs += one.cpuMs;
  }
}

/** Adds sums to what stands, in one order for everybody; answers the rules that cost too much in their hour by now. */
async function write({ postgres }: FigureParts, sums: readonly Sum[]): Promise<readonly HourCost[]> {
  const sorted = [...sums].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const totals = await inQueue(postgres, async (trx) => {
    const { rows } = await sql<{
      cluster_id: string;
      scope_id: string;
      workbook_id: string;
      hour: number;
      cpu_ms: number;
    }>`
      insert into rule_hour as old (cluster_id, scope_id, workbook_id, hour, runs, failures, reruns, row_count, query_ms, cpu_ms)
      select * from unnest(${sorted.map((one) => one.clusterId)}::text[], ${sorted.map((one) => one.scopeId)}::text[],
        ${sorted.map((one) => one.workbookId)}::text[], ${timestampList(sorted.map((one) => one.hourMs))},
        ${sorted.map((one) => one.runs)}::integer[], ${sorted.map((one) => one.failures)}::integer[],
        ${sorted.map((one) => one.reruns)}::integer[], ${sorted.map((one) => one.rows)}::bigint[],
        ${sorted.map((one) => one.queryMs)}::double precision[], ${sorted.map((one) => one.cpuMs)}::double precision[])
      on conflict (cluster_id, scope_id, workbook_id, hour) do update set runs = old.runs + excluded.runs,
        failures = old.failures + excluded.failures, reruns = old.reruns + excluded.reruns,
        row_count = old.row_count + excluded.row_count, query_ms = old.query_ms + excluded.query_ms,
        cpu_ms = old.cpu_ms + excluded.cpu_ms
      returning cluster_id, scope_id, workbook_id, hour, cpu_ms`.execute(trx);
    return rows;
  });
  const byKey = new Map(sums.map((sum) => [orderOf(sum), sum]));
  return totals.flatMap((row) => {
    const {
      cluster_id: clusterId,
      scope_id: scopeId,
      workbook_id: workbookId,
      hour: hourMs,
      cpu_ms: cpuMs,
    } = row;
    const sum = byKey.get(orderOf({ clusterId, scopeId, workbookId, hourMs }));
    return sum && workbookId !== SHARED_PASS && isTooExpensive({ cpuMs }) ? [{ ...sum, cpuMs }] : [];
  });
}

const orderOf = (one: RuleKey & { readonly hourMs: number }): string =>
  `${one.clusterId}\0${one.scopeId}\0${one.workbookId}\0${one.hourMs}`;
