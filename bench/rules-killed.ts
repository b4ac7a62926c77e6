import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { startScratchEngines } from '../server/src/engines/scratch-engines.ts';
import { pidIn, type SpawnedServer, spawnServer } from '../server/src/engines/testing/spawn-server.ts';
import { withDatabase } from '../server/src/engines/testing/start-test-engines.ts';
import { inQueue } from '../server/src/features/detections/due-queue.ts';
import { boundariesNamed } from '../server/src/features/detections/schedule-boundaries.ts';
import { hasCorpus } from '../server/src/features/detections/testing/corpus.ts';
import { ruleWaits } from '../server/src/features/detections/testing/watch-queue.ts';
import { ANY_PORTS, readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { timestamp } from '../server/src/platform/postgres/timestamp.ts';
import { startServer } from '../server/src/start-server.ts';
import { startSender } from './ingest-sender.ts';
import { openRuleTenant } from './rule-tenant.ts';

// Whether killing loses or doubles a signal: all rules of SigmaHQ and ours run on a worker of its own while events come in
// over HTTP, one of a hundred of a recorded attack. The worker and the event store are killed with -9, each alone and both
// at once. Then all that was found is put aside and the same events are evaluated again by a worker that nobody kills:
// every occurrence must be found by both, with as many events.
//
// Run: node --import tsx bench/rules-killed.ts [--minutes 6] [--rate 3000] [--rules 5000]
// Needs the corpus beside the checkout.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '6' },
    rate: { type: 'string', default: '3000' },
    rules: { type: 'string', default: '5000' },
  },
});
const SECONDS = Number(values.minutes) * 60;
const MINUTE_MS = 60_000;
/** So long a worker that was killed is away. */
const AWAY_MS = 8_000;
const PATIENCE_MS = 40 * MINUTE_MS;
/** Windows of rules wait no longer when nothing is left to do. */
const CAUGHT_UP_SECONDS = 20;

const say = (line: string): void => {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

if (!hasCorpus) throw new Error('the corpus does not lie beside the checkout');
const log = createLog('error');
const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-bench-'));
chmodSync(folder, 0o711);
const engines = await startScratchEngines(readConfig({}), log);
await sql`create database bench`.execute(engines.postgres.platform);
const url = new URL(engines.clickhouse.url);
url.username = engines.clickhouse.ingest.user;
url.password = engines.clickhouse.ingest.password;
const env = {
  TYRIAN_POSTGRES_URL: withDatabase(engines.postgresUrl, 'bench'),
  TYRIAN_CLICKHOUSE_URL: url.href,
  TYRIAN_SECRET_KEY: 'one key for both processes',
};
const server = await startServer({
  config: readConfig({ TYRIAN_DATA: path.join(folder, 'server'), ...ANY_PORTS, ...env }),
  checkout: folder,
  log,
  roles: ['api', 'ingest'],
});
const { platform } = server;
const tenant = await openRuleTenant(platform, server.address ?? '');
const { clusterId, token } = tenant;

let worker: SpawnedServer | null = null;
async function startWorker(): Promise<void> {
  const dataFolder = path.join(folder, 'worker');
  worker = await spawnServer({ dataFolder, env, args: ['--role', 'worker'], untilReady: false });
}
async function killWorker(): Promise<void> {
  worker?.kill('SIGKILL');
  await worker?.ended;
  worker = null;
}
/** The event store is started again by those who keep it. */
const killEventStore = () => process.kill(pidIn(path.join(engines.dataFolder, 'clickhouse.pid')), 'SIGKILL');

const inAll = <T>(statement: ReturnType<typeof sql<T>>) =>
  inQueue(platform.postgres, (trx) => statement.execute(trx));
const inTenant = <T>(statement: ReturnType<typeof sql<T>>) =>
  platform.postgres.inTenant(clusterId, (trx) => statement.execute(trx));

/** How far all rules have come, ms. */
async function coveredUntil(): Promise<number> {
  const { rows } = await inAll(sql<{ until: number | null }>`
    select min(case when r.keeps_step then g.covered_until else r.covered_until end) as until
    from rule r join rule_group g using (cluster_id, scope_id, schedule)
    where r.covered_from is not null and r.schedule = 'streamed'`);
  return rows[0]?.until ?? 0;
}

async function waitUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const untilMs = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > untilMs) throw new Error(`${what}: not within ${PATIENCE_MS / MINUTE_MS} minutes`);
    await sleep(1000);
  }
  say(what);
}

const isCaughtUp = async (): Promise<boolean> =>
  (await ruleWaits(platform)).every(({ waited }) => waited < CAUGHT_UP_SECONDS);

async function waitForRules(throughMs: number): Promise<void> {
  await waitUntil('all rules have seen all events', async () => {
    if ((await coveredUntil()) < throughMs) return false;
    const { rows } = await inAll(
      sql<{ late: number }>`select count(*)::int as late from rule where late <> '[]'`,
    );
    return rows[0]?.late === 0 && (await isCaughtUp());
  });
}

/** A line now and then, so that windows have something to look at and count again what came in late before them. */
async function trickle(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await fetch(`${server.ingestAddress}/ingest/ndjson`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '{"message":"nothing of interest"}\n',
    });
    await sleep(1000);
  }
}

interface Found {
  readonly occurrence_id: string;
  readonly workbook: string;
  readonly name: string;
  readonly row_count: number;
}

/** What was found in minutes of the run, by the ids of occurrences, of rules that run each minute. */
async function found(): Promise<ReadonlyMap<string, Found>> {
  const { rows } = await inTenant(sql<Found>`
    select o.occurrence_id, s.workbook_name as workbook, s.name, o.row_count
    from signal_occurrence o join signal s using (cluster_id, signal_id)
    where s.workbook_id in (select workbook_id from rule where schedule = 'streamed')`);
  return new Map(rows.map((row) => [row.occurrence_id, row]));
}

/** Forgets all that was found and seen since then, so that it is evaluated again. */
async function startAnew(fromMs: number): Promise<void> {
  await inTenant(sql`delete from signal`);
  await inAll(sql`delete from rule_window`);
  await inAll(sql`delete from evaluated_minute`);
  const { rows } = await inAll(sql<{ schedule: string }>`select distinct schedule from rule_group`);
  for (const { schedule } of rows) {
    await inAll(sql`update rule_group set covered_until = ${timestamp(fromMs)}, first_half = null,
      due_at = ${timestamp(boundariesNamed(schedule).after(fromMs))}, windows_done = 0, first_half_due_at = null
      where schedule = ${schedule}`);
    await inAll(sql`update rule set covered_from = ${timestamp(fromMs)}, covered_until = ${timestamp(fromMs)},
      group_windows = 0, keeps_step = coalesce(needs_events, false), late = '[]', failures_in_a_row = 0,
      due_at = ${timestamp(boundariesNamed(schedule).after(fromMs))}, retry_at = 'epoch', lease_until = 'epoch'
      where schedule = ${schedule} and covered_from is not null`);
  }
}

async function killMidway(): Promise<void> {
  const acts = ['worker', 'event store', 'both', 'worker'] as const;
  for (const act of acts) {
    await sleep((SECONDS * 1000) / (acts.length + 1));
    if (act !== 'worker') killEventStore();
    if (act !== 'event store') await killWorker();
    say(`killed: ${act}`);
    await sleep(AWAY_MS);
    if (act !== 'event store') await startWorker();
  }
}

/** Findings beyond the number that a rule raises one by one, of which late events may change the choice. */
const isOfFlood = (floods: ReadonlySet<string>, { workbook }: Found): boolean => floods.has(workbook);

function tellDifference(killed: ReadonlyMap<string, Found>, whole: ReadonlyMap<string, Found>): boolean {
  const all = [...killed.values(), ...whole.values()];
  const floods = new Set(
    all.filter(({ name }) => name.endsWith(': further findings')).map(({ workbook }) => workbook),
  );
  const own = (one: Found) => !isOfFlood(floods, one);
  const lost = [...whole.values()].filter((one) => own(one) && !killed.has(one.occurrence_id));
  const more = [...killed.values()].filter((one) => own(one) && !whole.has(one.occurrence_id));
  const other = [...killed.values()].filter((one) => {
    const twin = whole.get(one.occurrence_id);
    return own(one) && twin !== undefined && twin.row_count !== one.row_count;
  });
  const count = (found: ReadonlyMap<string, Found>) => [...found.values()].filter(own).length;
  say(
    `occurrences with kills ${count(killed)}, without ${count(whole)}, of ${new Set(all.map(({ workbook }) => workbook)).size} rules`,
  );
  say(`lost ${lost.length}, found besides ${more.length}, with another number of events ${other.length}`);
  say(
    `left out: ${floods.size} rules that raised more than one by one (${killed.size - count(killed)}, ${whole.size - count(whole)})`,
  );
  for (const { workbook, name, row_count } of [...lost, ...more, ...other].slice(0, 20))
    say(`  ${workbook}: ${name} (${row_count})`);
  return lost.length + more.length + other.length === 0;
}

try {
  await startWorker();
  await trickle(5);
  say(`imported: ${JSON.stringify(await tenant.importRules())}`);
  const on = await tenant.switchImported(Number(values.rules), true);
  const shipped = await tenant.switchShipped(true);
  say(`${on} imported rules and ${shipped} shipped ones are on`);
  await waitUntil('all rules keep step', isCaughtUp);
  const fromMs = (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;
  await sleep(fromMs - Date.now());
  const sender = await startSender({
    url: `${server.ingestAddress}/ingest/ndjson`,
    token,
    linesPerRequest: 500,
    connections: 4,
    perSecond: Number(values.rate),
    seconds: SECONDS,
  });
  const [sent] = await Promise.all([sender.send(), killMidway()]);
  say(`sent ${sent.events} events, ${Math.round(sent.events / sent.seconds)} a second`);
  const endMs = Date.now();
  await trickle(90);
  await waitForRules(endMs);
  const killed = await found();
  await killWorker();
  await startAnew(fromMs);
  await startWorker();
  await waitForRules(endMs);
  process.exitCode = tellDifference(killed, await found()) ? 0 : 1;
} finally {
  await killWorker();
  await server.stop();
  await engines.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
