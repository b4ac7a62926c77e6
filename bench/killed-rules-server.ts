import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { inQueue } from '../server/src/features/detections/due-queue.ts';
import { boundariesNamed } from '../server/src/features/detections/schedule-boundaries.ts';
import { ruleWaits } from '../server/src/features/detections/testing/watch-queue.ts';
import { ANY_PORTS, readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { timestamp } from '../server/src/platform/postgres/timestamp.ts';
import { startServer } from '../server/src/start-server.ts';
import { openRuleTenant } from './rule-tenant.ts';

// The server that bench/rules-killed.ts kills: all roles with the engines of its data folder, in a process of its own. It
// answers what the bench asks of the stores, because it alone has their passwords.

/** An occurrence of a rule that runs each minute. */
export interface FoundOccurrence {
  readonly occurrence_id: string;
  readonly workbook: string;
  readonly name: string;
  readonly row_count: number;
}

export interface Prepared {
  readonly token: string;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly imported: number;
  readonly shipped: number;
}

/** Windows of rules wait no longer when nothing is left to do. */
const CAUGHT_UP_SECONDS = 20;

const server = await startServer({
  config: readConfig({ ...ANY_PORTS, ...process.env }),
  checkout: process.cwd(),
  log: createLog('error'),
  roles: ['api', 'ingest', 'worker'],
});
const { platform } = server;

const inAll = <T>(statement: ReturnType<typeof sql<T>>) =>
  inQueue(platform.postgres, (trx) => statement.execute(trx));

/** Statements of the tenant that has imported rules. */
async function inTenant<T>(statement: ReturnType<typeof sql<T>>) {
  const { rows } = await inAll(sql<{ cluster_id: string }>`
    select cluster_id from rule group by cluster_id order by count(*) desc limit 1`);
  return platform.postgres.inTenant(rows[0]?.cluster_id ?? '', (trx) => statement.execute(trx));
}

async function prepare(rules: number): Promise<Prepared> {
  const tenant = await openRuleTenant(platform, server.address ?? '');
  const verdicts = await tenant.importRules();
  const imported = await tenant.switchImported(rules, true);
  let shipped = 0;
  // The scheduler gives them to a tenant when it first sees it.
  while (shipped === 0) {
    await sleep(1000);
    shipped = await tenant.switchShipped(true);
  }
  return { token: tenant.token, verdicts, imported, shipped };
}

/** Whether rules have seen everything up to a time, and no window waits to run again. */
async function isCaughtUp(throughMs: number): Promise<boolean> {
  const { rows } = await inAll(sql<{ until: number | null; late: number }>`
    select min(case when r.keeps_step then g.covered_until else r.covered_until end) as until,
      count(*) filter (where r.late <> '[]')::int as late
    from rule r join rule_group g using (cluster_id, scope_id, schedule)
    where r.covered_from is not null and r.schedule = 'streamed'`);
  const [{ until, late } = { until: 0, late: 0 }] = rows;
  const waits = await ruleWaits(platform);
  return (until ?? 0) >= throughMs && late === 0 && waits.every(({ waited }) => waited < CAUGHT_UP_SECONDS);
}

async function found(): Promise<readonly FoundOccurrence[]> {
  const { rows } = await inTenant(sql<FoundOccurrence>`
    select o.occurrence_id, s.workbook_name as workbook, s.name, o.row_count
    from signal_occurrence o join signal s using (cluster_id, signal_id)
    where s.workbook_id in (select workbook_id from rule where schedule = 'streamed')`);
  return rows;
}

/** Forgets all that was found, and all that was seen since then, so that it is evaluated again. */
async function startAnew(fromMs: number): Promise<void> {
  const { rows } = await inAll(sql<{ schedule: string }>`select distinct schedule from rule_group`);
  await inQueue(platform.postgres, async (trx) => {
    // Whoever works on a group has lost it.
    await sql`update rule_group set lease_owner = null`.execute(trx);
    await sql`delete from rule_window`.execute(trx);
    await sql`delete from evaluated_minute`.execute(trx);
    for (const { schedule } of rows) {
      const due = timestamp(boundariesNamed(schedule).after(fromMs));
      await sql`update rule_group set covered_until = ${timestamp(fromMs)}, due_at = ${due}, windows_done = 0,
        first_half = null, first_half_due_at = null where schedule = ${schedule}`.execute(trx);
      await sql`update rule set covered_from = ${timestamp(fromMs)}, covered_until = ${timestamp(fromMs)},
        due_at = ${due}, group_windows = 0, keeps_step = coalesce(needs_events, false), late = '[]',
        failures_in_a_row = 0, retry_at = 'epoch', lease_owner = null, lease_until = 'epoch'
        where schedule = ${schedule} and covered_from is not null`.execute(trx);
    }
  });
  await inTenant(sql`delete from signal`);
}

export interface Asked {
  readonly prepare?: number;
  readonly isCaughtUp?: number;
  readonly found?: true;
  readonly startAnew?: number;
}

async function answer(asked: Asked): Promise<unknown> {
  if (asked.prepare !== undefined) return prepare(asked.prepare);
  if (asked.isCaughtUp !== undefined) return isCaughtUp(asked.isCaughtUp);
  if (asked.startAnew !== undefined) return startAnew(asked.startAnew);
  return found();
}

process.on('message', (asked: Asked) => {
  answer(asked)
    .then((value) => process.send?.({ value: value ?? null }))
    .catch((error: Error) => process.send?.({ error: error.stack }));
});
process.once('disconnect', () => process.exit(0));
process.send?.({ value: server.ingestAddress });
