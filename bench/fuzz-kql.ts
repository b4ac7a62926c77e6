import { appendFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { openScratchClickhouse } from '../server/src/engines/scratch-clickhouse.ts';
import { type FuzzOutcome, fuzzQuery } from '../server/src/features/search/testing/fuzz-query.ts';
import { mutatedQuery } from '../server/src/features/search/testing/mutated-query.ts';
import { foundQueries, ownQueries } from '../server/src/features/search/testing/query-seeds.ts';
import { faultsOfReach } from '../server/src/features/search/testing/sql-reach.ts';
import { EventStoreError } from '../server/src/platform/clickhouse/event-store.ts';

// Mutated queries all the way to ClickHouse: no crash, no second of compiling, no SQL that the engine refuses to parse,
// no reach outside the tenant. Some of the SQL is run as well, against a table without rows.
//
//   node --import tsx bench/fuzz-kql.ts [cases, 100000] [seed, 1] [first case, 0] [file for the faults]
//
// A case is made from the seed and its number alone, given the same queries to start from: those of the corpus and,
// when there is one, of the folder `shared/corpora` beside the checkout. Exit code 1 when anything is wrong.

const CASES = Number(process.argv[2] ?? 100_000);
const SEED = Number(process.argv[3] ?? 1);
const FIRST = Number(process.argv[4] ?? 0);
const FAULT_FILE = process.argv[5];
const TENANT = 'fuzz';
const DATABASE = `tenant_${TENANT}`;
const LIMIT_MS = 1000;
const AT_ONCE = 4;
const RUN_EVERY = 40;

const seeds = [...ownQueries(), ...foundQueries()];
const { events, close } = await openScratchClickhouse('tyrian-fuzz-');

const counts = { printed: 0, distinct: 0, run: 0, stopped: 0, faults: 0, slowestMs: 0 };
/** The engine keeps to its limits of time and memory, and the service tells the user which was met. */
const LIMITS_MET = new Set([159, 160, 241]);
const seen = new Set<string>();

function report(index: number, text: string, fault: string): void {
  counts.faults += 1;
  const line = JSON.stringify({ seed: SEED, index, fault: fault.slice(0, 600), text: text.slice(0, 2000) });
  process.stdout.write(`${line}\n`);
  if (FAULT_FILE) appendFileSync(FAULT_FILE, `${line}\n`);
}

/** Ends the process with the number of the case when one never returns: the loop it blocks cannot tell itself. */
function watchForHangs(): { readonly at: Int32Array; stop(): Promise<number> } {
  const at = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
  const source = `const { workerData: at } = require('node:worker_threads'); let last = -1; setInterval(() => {
    const now = Atomics.load(at, 0);
    if (now >= 0 && now === last) { require('node:fs').writeSync(2, 'case ' + now + ' hangs\\n'); process.kill(process.pid, 'SIGKILL'); }
    last = now;
  }, 30000);`;
  const worker = new Worker(source, { eval: true, workerData: at });
  return { at, stop: () => worker.terminate() };
}

const ask = (sql: string, printed: NonNullable<FuzzOutcome['printed']>) =>
  events.rows(TENANT, {
    sql,
    params: printed.params,
    settings: { ...printed.settings, max_execution_time: 5 },
    scopes: ['s1'],
  });

async function checkOnEngine(index: number, text: string, printed: NonNullable<FuzzOutcome['printed']>) {
  try {
    const { rows } = await ask(`EXPLAIN AST ${printed.sql}`, printed);
    const ast = rows.map((row) => String(row[0]));
    for (const fault of faultsOfReach(ast, DATABASE)) report(index, text, `reach: ${fault}`);
  } catch (error) {
    report(index, text, `not parsed: ${(error as Error).message}`);
    return;
  }
  if (counts.distinct % RUN_EVERY !== 0) return;
  counts.run += 1;
  try {
    await ask(printed.sql, printed);
  } catch (error) {
    const code = error instanceof EventStoreError ? error.code : null;
    if (code !== null && LIMITS_MET.has(code)) counts.stopped += 1;
    else report(index, text, `not run: ${code ?? ''} ${(error as Error).message}`);
  }
}

/** The quickest of some tries: the first of a kind also warms the compiler up. */
function quickest(text: string, unknownColumns: 'warn' | 'error', first: FuzzOutcome): FuzzOutcome {
  let best = first;
  for (let round = 0; round < 3 && best.ms > LIMIT_MS; round += 1) {
    const again = fuzzQuery(text, DATABASE, unknownColumns);
    if (again.ms < best.ms) best = again;
  }
  return best;
}

async function run(at: Int32Array): Promise<void> {
  const open = new Set<Promise<void>>();
  for (let index = FIRST; index < FIRST + CASES; index += 1) {
    Atomics.store(at, 0, index);
    const text = mutatedQuery(SEED, index, seeds);
    const unknownColumns = index % 5 === 0 ? 'error' : 'warn';
    const outcome = quickest(text, unknownColumns, fuzzQuery(text, DATABASE, unknownColumns));
    Atomics.store(at, 0, -1);
    counts.slowestMs = Math.max(counts.slowestMs, outcome.ms);
    for (const fault of outcome.faults) report(index, text, fault);
    if (outcome.ms > LIMIT_MS) report(index, text, `took ${Math.round(outcome.ms)} ms`);
    const { printed } = outcome;
    if (printed) counts.printed += 1;
    if (printed && !seen.has(printed.sql)) {
      seen.add(printed.sql);
      counts.distinct += 1;
      const check: Promise<void> = checkOnEngine(index, text, printed).finally(() => open.delete(check));
      open.add(check);
      while (open.size >= AT_ONCE) await Promise.race(open);
    }
    if (index % 1000 === 999) process.stderr.write(`${index + 1} ${JSON.stringify(counts)}\n`);
  }
  await Promise.all(open);
}

/** The database of countries is loaded beside the first queries; those that ask for it wait. */
async function countriesLoaded(): Promise<void> {
  const { printed } = fuzzQuery('print geo_info_from_ip_address("8.8.8.8")', DATABASE, 'warn');
  if (!printed) throw new Error('geo_info_from_ip_address does not compile');
  for (;;) {
    const answer = await ask(printed.sql, printed).catch((error: unknown) => error);
    if (!(answer instanceof Error && answer.message.includes('still being loaded'))) return;
    await new Promise((done) => setTimeout(done, 200));
  }
}

const watch = watchForHangs();
try {
  process.stdout.write(`${CASES} cases from ${FIRST}, seed ${SEED}, ${seeds.length} queries to start from\n`);
  await events.ensureTenant(TENANT);
  await countriesLoaded();
  await run(watch.at);
  process.stdout.write(
    `${counts.printed} compiled, ${counts.distinct} distinct SQL parsed, ${counts.run} run, ${counts.stopped} of them to a limit, slowest ${Math.round(counts.slowestMs)} ms, ${counts.faults} faults\n`,
  );
  process.exitCode = counts.faults === 0 ? 0 : 1;
} finally {
  await watch.stop();
  await close();
}
