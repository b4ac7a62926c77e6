import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pidIn } from '../server/src/engines/testing/spawn-server.ts';
import { hasCorpus } from '../server/src/features/detections/testing/corpus.ts';
import type { FoundOccurrence } from '../server/src/features/detections/testing/evaluate-again.ts';
import { wovenLines } from './ingest-sender.ts';
import type { Asked, Prepared } from './killed-rules-server.ts';

// Whether killing loses or doubles a signal: all rules of SigmaHQ and ours run while events come in over HTTP, one of a
// hundred of a recorded attack. The server with its worker and the event store are killed with -9, each alone and both at
// once. Then what was found is put aside and the same events are evaluated again, undisturbed: every occurrence must be
// found by both, with as many events.
//
// Run: node --import tsx bench/rules-killed.ts [--minutes 6] [--rate 3000] [--rules 5000] [--kills 'server,event store']
// Needs the corpus beside the checkout.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '6' },
    rate: { type: 'string', default: '3000' },
    rules: { type: 'string', default: '5000' },
    /** What is killed one after the other; nothing when empty. */
    kills: { type: 'string', default: 'server,event store,both,server' },
  },
});
const SECONDS = Number(values.minutes) * 60;
const RATE = Number(values.rate);
const LINES = 500;
const CONNECTIONS = 8;
const MINUTE_MS = 60_000;
const PATIENCE_MS = 40 * MINUTE_MS;

const say = (line: string): void => {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

if (!hasCorpus) throw new Error('the corpus does not lie beside the checkout');
const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-bench-'));
chmodSync(folder, 0o711);
let child: ChildProcess | null = null;
/** Of senders; each server takes another one. */
let address = '';
let token = '';
let clusterId = '';

function answerOf<T>(of: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('the server ended'));
    of.once('exit', onExit);
    of.once('message', (message: { value: T; error?: string }) => {
      of.off('exit', onExit);
      if (message.error === undefined) resolve(message.value);
      else reject(new Error(message.error));
    });
  });
}

async function start(): Promise<void> {
  const script = path.join(import.meta.dirname, 'killed-rules-server.ts');
  child = fork(script, [], {
    execArgv: ['--import', import.meta.resolve('tsx')],
    env: { PATH: process.env.PATH, TYRIAN_DATA: folder },
  });
  address = await answerOf<string>(child);
}

/** Its engines are left to whoever starts next. */
async function killServer(): Promise<void> {
  const gone = new Promise((resolve) => child?.once('exit', resolve));
  child?.kill('SIGKILL');
  await gone;
}

/** The server starts it again. */
const killEventStore = () => process.kill(pidIn(path.join(folder, 'clickhouse.pid')), 'SIGKILL');

async function ask<T>(asked: Asked): Promise<T> {
  if (!child) throw new Error('no server runs');
  const answer = answerOf<T>(child);
  child.send(asked);
  return await answer;
}

async function waitUntilCaughtUp(throughMs: number): Promise<void> {
  const untilMs = Date.now() + PATIENCE_MS;
  while (!(await ask<boolean>({ ask: 'isCaughtUp', throughMs }))) {
    if (Date.now() > untilMs) throw new Error('rules do not catch up');
    await sleep(1000);
  }
}

/** Sends until it is acknowledged. */
async function post(body: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${address}/ingest/ndjson`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, connection: 'close' },
      body,
    }).catch(() => null);
    if (answer?.ok) return;
    await sleep(200);
  }
}

/** How many events were sent in all. */
async function sendEvents(): Promise<number> {
  const make = wovenLines(7);
  const untilMs = Date.now() + SECONDS * 1000;
  const everyMs = (CONNECTIONS * LINES * 1000) / RATE;
  let sent = 0;
  const connection = async (): Promise<void> => {
    while (Date.now() < untilMs) {
      const began = Date.now();
      await post(`${make(LINES).join('\n')}\n`);
      sent += LINES;
      await sleep(Math.max(0, everyMs - (Date.now() - began)));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return sent;
}

/** Lines now and then, so that windows count again what came in late before them. */
async function trickle(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await post('{"message":"nothing of interest"}\n');
    await sleep(1000);
  }
}

async function killMidway(): Promise<void> {
  const acts = values.kills.split(',').filter(Boolean);
  for (const act of acts) {
    await sleep((SECONDS * 1000) / (acts.length + 1));
    if (act !== 'server') killEventStore();
    if (act !== 'event store') await killServer();
    say(`killed: ${act}`);
    if (act !== 'event store') await start();
  }
}

type Occurrences = ReadonlyMap<string, FoundOccurrence>;

const found = async (): Promise<Occurrences> =>
  new Map(
    (await ask<readonly FoundOccurrence[]>({ ask: 'found', clusterId })).map((one) => [
      one.occurrence_id,
      one,
    ]),
  );

/** Rules that raised more than is raised one by one: late events may change which findings are among the first. */
const floodsOf = (all: readonly FoundOccurrence[]): ReadonlySet<string> =>
  new Set(all.filter(({ name }) => name.endsWith(': further findings')).map(({ workbook }) => workbook));

/** Whether both hold the same. */
function compare(killed: Occurrences, whole: Occurrences): boolean {
  const all = [...killed.values(), ...whole.values()];
  const floods = floodsOf(all);
  const own = (from: Occurrences) => [...from.values()].filter(({ workbook }) => !floods.has(workbook));
  const lost = own(whole).filter(({ occurrence_id }) => !killed.has(occurrence_id));
  const more = own(killed).filter(({ occurrence_id }) => !whole.has(occurrence_id));
  const other = own(killed).filter(({ occurrence_id, row_count }) => {
    const twin = whole.get(occurrence_id);
    return twin !== undefined && twin.row_count !== row_count;
  });
  const rules = new Set(all.map(({ workbook }) => workbook)).size;
  say(
    `occurrences with kills ${own(killed).length}, without ${own(whole).length}; ${rules} rules found some`,
  );
  say(`lost ${lost.length}, besides ${more.length}, with another number of events ${other.length}`);
  const left = [killed.size - own(killed).length, whole.size - own(whole).length].join(', ');
  say(`left out: ${floods.size} rules that raised more than is raised one by one (${left})`);
  for (const { workbook, name, row_count } of [...lost, ...more, ...other].slice(0, 20))
    say(`  ${workbook}: ${name} (${row_count})`);
  return own(whole).length > 0 && lost.length + more.length + other.length === 0;
}

try {
  await start();
  const prepared = await ask<Prepared>({ ask: 'prepare', rules: Number(values.rules) });
  ({ token, clusterId } = prepared);
  say(`${prepared.imported} imported rules and ${prepared.shipped} shipped ones are on`);
  await trickle(5);
  await waitUntilCaughtUp(Date.now() - 2 * MINUTE_MS);
  const fromMs = (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;
  await sleep(fromMs - Date.now());
  const [sent] = await Promise.all([sendEvents(), killMidway()]);
  const endMs = Date.now();
  say(`sent ${sent} events`);
  await trickle(90);
  await waitUntilCaughtUp(endMs);
  const killed = await found();
  say(`${killed.size} occurrences`);
  say('all rules have seen all events; now again');
  await ask({ ask: 'startAnew', clusterId, fromMs });
  await waitUntilCaughtUp(endMs);
  process.exitCode = compare(killed, await found()) ? 0 : 1;
} finally {
  await killServer();
  // The engines see that nobody holds them and end.
  await sleep(2000);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
}
process.exit();
