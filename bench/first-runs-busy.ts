import { parseArgs } from 'node:util';
import { startBusyProcesses } from './busy-processes.ts';
import { evenly, huntingQueries } from './hunting-corpus.ts';
import { ranked } from './made-events.ts';
import { openTenant, RefusedCall, type TenantCalls } from './neighbour-attacks.ts';
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
/** Events of each tenant, so that a search has something to read. */
const EVENTS = 5000;
/** As the console waits between two looks at a search. */
const PAUSES_OF_FIND_MS = [60, 100, 150, 250, 400, 500];
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

/** What became of A's calls. */
interface Outcomes {
  readonly ms: number[];
  searches: number;
  readonly forTime: string[];
  /** Codes or words of other refusals: of what Tyrian does not know. */
  readonly other: Map<string, number>;
}

/** The code of a refusal for lack of time or of a slot; null for any other. */
function timeRefusal(http: number, told: string): string | null {
  if (told.includes('TYR104')) return 'TYR104';
  if (http === 429) return 'too many';
  if (http >= 500 || /the server is busy|does not answer|ended; run it again/.test(told)) return 'busy';
  if (/took too long to compile|wait for the compiler|search engine is busy|you have \d+ searches/.test(told))
    return 'too many';
  return /stopped after \d+ seconds/.test(told) ? 'time limit' : null;
}

function noteRefusal(into: Outcomes, call: string, http: number, told: string): void {
  const forTime = timeRefusal(http, told);
  if (forTime) {
    into.forTime.push(`${call}: ${forTime}`);
    return;
  }
  // The code of a mistake, else the message.
  const code = /"code":"([A-Z]+\d+)"/.exec(told)?.[1] ?? /"message":"([^"]{0,80})/.exec(told)?.[1] ?? told;
  into.other.set(`${call} ${code}`, (into.other.get(`${call} ${code}`) ?? 0) + 1);
}

async function runOfFind(a: TenantCalls, query: string, into: Outcomes): Promise<void> {
  const beside = async (name: string, work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => {
      if (error instanceof RefusedCall) noteRefusal(into, name, error.http, error.body);
      else into.forTime.push(`${name}: ${String(error)}`);
    });
  };
  const search = async (): Promise<void> => {
    const began = performance.now();
    const state = await a.ended(query, PAUSES_OF_FIND_MS);
    into.ms.push(performance.now() - began);
    into.searches += state.task_state === 'SUCCESS' ? 1 : 0;
    if (state.task_state === 'SUCCESS') return;
    const http = state.task_state === 'QUERY_WORKERS_DOWN' ? 503 : 422;
    const { message, diagnostics } = state;
    noteRefusal(into, 'search', http, JSON.stringify({ diagnostics, message }));
  };
  await Promise.all([
    beside('cost', a.cost(query)),
    beside('search', search()),
    beside('histogram', a.histogram(query)),
  ]);
}

/** A's queries one after the other, and B's searches until they are over. */
async function sampleBoth(a: TenantCalls, b: TenantCalls, queries: readonly string[], both: Outcomes) {
  const during = noSamples();
  let isOver = false;
  const runs = (async () => {
    for (const query of queries) await runOfFind(a, query, both);
  })().finally(() => {
    isOver = true;
  });
  while (!isOver) await sampleB(b, during);
  await runs;
  return during;
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
const [a, b] = [openTenant(server, server.a, '127.0.0.2'), openTenant(server, server.b, '127.0.0.1')];
const perRound = Math.ceil(queries.length / ROUNDS);
const [idle, alone, beside] = [noSamples(), noSamples(), noSamples()];
const found: Outcomes = { ms: [], searches: 0, forTime: [], other: new Map() };
try {
  spinners.rest();
  for (const one of [a, b]) await one.ingest(smallBatch(EVENTS));
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
    append(beside, await sampleBoth(a, b, own, found));
  }
  const out = (text: string): boolean => process.stdout.write(`${text}\n`);
  out(`${queries.length} first runs of A (of ${from}) beside ${values.spinners} busy processes`);
  out(`answered: ${found.searches}, ${line(found.ms)}`);
  out(`refused for time: ${found.forTime.length}${found.forTime.length > 0 ? ' !' : ''} ${found.forTime}`);
  out('refused for another reason:');
  for (const [what, count] of found.other) out(`  ${what}: ${count}`);
  out(
    `B's small search in ms (${beside.known.length} samples of each text beside A); target: ratio to busy at most 2`,
  );
  out(table(idle, alone, beside));
  out(`failures of B: idle ${idle.failures}, busy ${alone.failures}, beside A ${beside.failures}`);
} finally {
  spinners.end();
  a.close();
  b.close();
  await stop();
}
process.exit(0);

function line(ms: readonly number[]): string {
  return `median ${ranked(ms, 0.5).toFixed(0)} ms, p95 ${ranked(ms, 0.95).toFixed(0)} ms, longest ${Math.max(...ms).toFixed(0)} ms`;
}
