import { parseArgs } from 'node:util';
import { startBusyProcesses } from './busy-processes.ts';
import { type FindUser, type Outcomes, startFindUser } from './find-user.ts';
import { evenly, huntingQueries } from './hunting-corpus.ts';
import { ranked } from './made-events.ts';
import { openTenant, type TenantCalls } from './neighbour-attacks.ts';
import { pause, smallBatch, startBenchServer, timedCall } from './start-bench-server.ts';

// A pastes hunting queries that this server has never compiled and runs each as Find does, with its cost and its
// histogram beside it, while other processes keep every processor busy. The claims: none is refused for time, and a
// small search of B, in another tenant, takes at most twice as long as on the same busy machine without A.
//
// Run: node --import tsx bench/first-runs-busy.ts [--queries 35] [--spinners 4] [--rounds 7] [--samples 8]
//
// The queries are every n-th of the Sentinel hunting queries in the folder that `TYRIAN_CORPORA` names, where it is
// there; else those of the shipped detections, changed so that each is new. Each round samples B on the machine without
// the other processes, then with them, then with them and A.

const { values } = parseArgs({
  options: {
    queries: { type: 'string', default: '35' },
    spinners: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '7' },
    samples: { type: 'string', default: '8' },
  },
});
const QUERIES = Number(values.queries);
const ROUNDS = Number(values.rounds);
const SAMPLES = Number(values.samples);
const MAX_RATIO = 2;
/** A server that has just started writes the shipped detections of its tenants first. */
const START_MS = 20_000;
/** Events of each tenant, so that a search has something to read. */
const EVENTS = 5000;
/** So long the machine gets used to other work before a sample. */
const SETTLE_MS = 500;

/** Times of B's small search: of a text that was compiled before, and of one that never was. */
interface Samples {
  readonly known: number[];
  readonly fresh: number[];
  failures: number;
}

const noSamples = (): Samples => ({ known: [], fresh: [], failures: 0 });

let texts = 0;

async function sampleB(b: TenantCalls, into: Samples): Promise<void> {
  for (const kind of ['known', 'fresh'] as const) {
    const text = `Events | take 20 | project TimeGenerated, Raw${kind === 'known' ? '' : ` // ${++texts}`}`;
    const { ms, isFine } = await timedCall(async () => (await b.search(text)) === 'SUCCESS');
    into[kind].push(ms);
    if (!isFine) into.failures += 1;
  }
}

/** A's queries one after the other, and B's searches until they are over. */
async function sampleBoth(a: FindUser, b: TenantCalls, queries: readonly string[]) {
  const during = noSamples();
  let isOver = false;
  const runs = a.run(queries).finally(() => {
    isOver = true;
  });
  while (!isOver) await sampleB(b, during);
  return { during, outcomes: await runs };
}

const append = (to: Samples, { known, fresh, failures }: Samples): void => {
  to.known.push(...known);
  to.fresh.push(...fresh);
  to.failures += failures;
};

function table(idle: Samples, alone: Samples, beside: Samples): string {
  const cell = (text: string): string => text.padStart(16);
  const lines = (['known', 'fresh'] as const).flatMap((kind) =>
    ([0.5, 0.95] as const).map((share) => {
      const [i, q, d] = [idle, alone, beside].map((one) => ranked(one[kind], share)) as [
        number,
        number,
        number,
      ];
      const figures = [i, q, d].map((ms) => cell(ms.toFixed(0)));
      const ratios = [`${(d / q).toFixed(2)}${d / q > MAX_RATIO ? ' !' : ''}`, (d / i).toFixed(2)].map(cell);
      const name = `${kind} text, ${share === 0.5 ? 'median' : 'p95'}`;
      return `${name.padEnd(20)}${[...figures, ...ratios].join('')}\n`;
    }),
  );
  const heads = ['idle', 'busy', 'busy, A runs', 'to busy', 'to idle'].map(cell).join('');
  return `${' '.repeat(20)}${heads}\n${lines.join('')}`;
}

const { from, queries: all } = huntingQueries('Sentinel');
const queries = evenly(all, QUERIES);
const { server, stop } = await startBenchServer();
const spinners = startBusyProcesses(Number(values.spinners));
const a = await startFindUser(server);
const b = openTenant(server, server.b, '127.0.0.1');
const perRound = Math.ceil(queries.length / ROUNDS);
const [idle, alone, beside] = [noSamples(), noSamples(), noSamples()];
const found: Outcomes = { ms: [], searches: 0, forTime: [], other: [] };
try {
  spinners.rest();
  await a.ingest(smallBatch(EVENTS));
  await b.ingest(smallBatch(EVENTS));
  await pause(START_MS);
  for (let n = 0; n < SAMPLES; n += 1) await sampleB(b, noSamples());
  for (let round = 0; round * perRound < queries.length; round += 1) {
    for (const [samples, change] of [
      [idle, spinners.rest],
      [alone, spinners.work],
    ] as const) {
      change();
      await pause(SETTLE_MS);
      for (let n = 0; n < SAMPLES; n += 1) await sampleB(b, samples);
    }
    const own = queries.slice(round * perRound, (round + 1) * perRound);
    const { during, outcomes } = await sampleBoth(a, b, own);
    append(beside, during);
    found.searches += outcomes.searches;
    found.ms.push(...outcomes.ms);
    found.forTime.push(...outcomes.forTime);
    found.other.push(...outcomes.other);
  }
  const out = (text: string): boolean => process.stdout.write(`${text}\n`);
  out(`${queries.length} first runs of A (of ${from}) beside ${values.spinners} busy processes`);
  out(`answered: ${found.searches}, ${line(found.ms)}`);
  out(`refused for time: ${found.forTime.length}${found.forTime.length > 0 ? ' !' : ''} ${found.forTime}`);
  out('refused for another reason:');
  for (const what of found.other) out(`  ${what}`);
  out(
    `B's small search in ms (${beside.known.length} samples of each text beside A); target: ratio to busy at most 2`,
  );
  out(table(idle, alone, beside));
  out(`failures of B: idle ${idle.failures}, busy ${alone.failures}, beside A ${beside.failures}`);
} finally {
  spinners.end();
  a.stop();
  b.close();
  await stop();
}
process.exit(0);

function line(ms: readonly number[]): string {
  return `median ${ranked(ms, 0.5).toFixed(0)} ms, p95 ${ranked(ms, 0.95).toFixed(0)} ms, longest ${Math.max(...ms).toFixed(0)} ms`;
}
