import { parseArgs } from 'node:util';
import type { Plan } from '@tyrian/plan';
import { storeEvents } from '../server/src/cli/sigma/store-sigma-events.ts';
import { buildCompany } from '../server/src/features/demo/demo-company.ts';
import { ordinaryEvent } from '../server/src/features/demo/demo-noise.ts';
import { createRandom } from '../server/src/features/demo/seeded-random.ts';
import type { CandidateEvents } from '../server/src/features/detections/prefilter/narrow-to-candidates.ts';
import { type AskedPlans, askedPlans } from '../server/src/features/detections/testing/asked-plans.ts';
import { corpusRules, hasCorpus, recordedEvents } from '../server/src/features/detections/testing/corpus.ts';
import { openScratchQueries } from '../server/src/features/search/scratch-queries.ts';
import { fewAtATime } from '../server/src/platform/few-at-a-time.ts';
import { mergesDone } from './ingest-measurements.ts';
import { median } from './made-events.ts';
import { processorSeconds } from './processor-seconds.ts';

// What thousands of rules cost an event: windows of one minute of the demo mix with recorded attacks woven in, and the rules of
// SigmaHQ on, first one, then 100, 1,000 and all. Told apart are the first window after the rules were switched on, for
// which the engine builds its machines, and those after it. Beside it what one query per rule costs in the same window; of
// more rules than --sample so many are run and the cost of all is reckoned from them.
//
// Run: node --import tsx bench/fused-rules.ts [--events 60000] [--windows 3] [--recorded 0.05] [--sample 150]
// `--events` are those of a window, `--recorded` the share of them that is of attacks. Needs the corpus beside the checkout.

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '60000' },
    windows: { type: 'string', default: '3' },
    recorded: { type: 'string', default: '0.05' },
    sample: { type: 'string', default: '150' },
    rules: { type: 'string', default: '1,100,1000,5000' },
  },
});
const EVENTS = Number(values.events);
const WINDOWS = Number(values.windows);
const RECORDED = Number(values.recorded);
const SAMPLE = Number(values.sample);
const TENANT = 'bench';
const SCOPE = 'main';
const BATCH = 10_000;
const SOON_MS = 1_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

interface Minute {
  readonly from: number;
  readonly to: number;
}

if (!hasCorpus) throw new Error('the corpus does not lie beside the checkout');
const engine = await openScratchQueries('tyrian-bench-', TENANT);
const random = createRandom(5);
const world = { company: buildCompany(7), random: createRandom(11) };

async function storeMinute(recorded: readonly unknown[], at: number): Promise<Minute> {
  const from = Date.now();
  const attacks = Math.round(EVENTS * RECORDED);
  const first = Math.floor(random.next() * Math.max(1, recorded.length - attacks)) * (at > 0 ? 1 : 0);
  await storeEvents(
    engine.events,
    { clusterId: TENANT, scope: SCOPE },
    Array.from({ length: attacks }, (_, n) => recorded[(first + n) % recorded.length]),
  );
  for (let left = EVENTS - attacks; left > 0; left -= BATCH) {
    const lines = Array.from(
      { length: Math.min(left, BATCH) },
      // Events arrive soon after they happened, so that those of a window lie together as they do in a live tenant.
      () => ordinaryEvent(world, Date.now() - Math.floor(random.next() * SOON_MS)).text,
    );
    await storeEvents(engine.events, { clusterId: TENANT, scope: SCOPE }, [lines.join('\n')]);
  }
  return { from, to: Date.now() + 1 };
}

interface Cost {
  /** Processor time of the server and of the engine, µs an event. */
  readonly server: number;
  readonly clickhouse: number;
  readonly ms: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [before, began] = [processorSeconds(), performance.now()];
  await work();
  const [after, ms] = [processorSeconds(), performance.now() - began];
  const micros = (kind: 'node' | 'clickhouse') => ((after[kind] - before[kind]) * 1e6) / EVENTS;
  return { server: micros('node'), clickhouse: micros('clickhouse'), ms };
}

const total = ({ server, clickhouse }: Cost): number => server + clickhouse;
const shown = (cost: Cost): string =>
  `${total(cost).toFixed(2)} µs an event (server ${cost.server.toFixed(2)}, engine ${cost.clickhouse.toFixed(2)}) · ${cost.ms.toFixed(0)} ms`;

/** Whether a rule finds something by its own query; one that the engine refuses finds nothing. */
async function finds(rows: ReturnType<AskedPlans['rowsOf']>): Promise<boolean> {
  return (await rows.catch(() => new Map())).size > 0;
}

/** What one query per rule costs. */
async function oneByOne(asked: AskedPlans, plans: readonly Plan[], minute: Minute | undefined) {
  const sample = plans.filter((_, at) => at % Math.max(1, Math.ceil(plans.length / SAMPLE)) === 0);
  const some = await costOf(() =>
    fewAtATime(sample, 2, async (plan) => minute && finds(asked.rowsAlone(plan, [SCOPE], minute))),
  );
  const times = plans.length / sample.length;
  const single = {
    server: some.server * times,
    clickhouse: some.clickhouse * times,
    ms: some.ms * times,
  };
  return { single, sampled: sample.length };
}

async function measure(plans: readonly Plan[], minutes: readonly Minute[]): Promise<void> {
  const asked = askedPlans(engine.queries, TENANT, plans);
  const named: number[] = [];
  const found: number[] = [];
  const runs: Cost[] = [];
  const prefilters: Cost[] = [];
  for (const minute of minutes) {
    let candidates: readonly (readonly [number, CandidateEvents | undefined])[] = [];
    const prefilter = await costOf(async () => {
      candidates = [...((await asked.candidates([SCOPE], minute)).get(SCOPE) ?? [])];
    });
    let withRows = 0;
    const exact = await costOf(() =>
      fewAtATime(candidates, 2, async ([number, events]) => {
        const plan = plans[number];
        if (plan && (await finds(asked.rowsOf(plan, [SCOPE], minute, events)))) withRows += 1;
      }),
    );
    named.push(candidates.length);
    found.push(withRows);
    prefilters.push(prefilter);
    runs.push({
      server: prefilter.server + exact.server,
      clickhouse: prefilter.clickhouse + exact.clickhouse,
      ms: prefilter.ms + exact.ms,
    });
  }
  const { single, sampled } = await oneByOne(asked, plans, minutes[0]);
  const [cold, ...warm] = runs;
  const [coldProbe, ...warmProbes] = prefilters;
  if (!cold || !coldProbe) return;
  const middle = (costs: readonly Cost[]): Cost => ({
    server: median(costs.map(({ server }) => server)),
    clickhouse: median(costs.map(({ clickhouse }) => clickhouse)),
    ms: median(costs.map(({ ms }) => ms)),
  });
  const later = warm.length > 0 ? middle(warm) : cold;
  say(`${plans.length} rules, ${EVENTS} events a window`);
  say(`  first window        ${shown(cold)}`);
  say(`  windows after it    ${shown(later)}`);
  say(
    `    of it telling which may find something ${shown(warmProbes.length > 0 ? middle(warmProbes) : coldProbe)}`,
  );
  say(`  rules that were run ${named.join(', ')} · that found something ${found.join(', ')}`);
  say(`  one query per rule  ${shown(single)}${sampled < plans.length ? `, reckoned from ${sampled}` : ''}`);
  say(`  one query per rule to fused: ratio ${(total(single) / total(later)).toFixed(1)}`);
}

try {
  const recorded = recordedEvents();
  const minutes: Minute[] = [];
  for (let at = 0; at < WINDOWS; at += 1) minutes.push(await storeMinute(recorded, at));
  const rules = corpusRules();
  await mergesDone(engine.events);
  for (const wanted of values.rules.split(',').map(Number)) {
    const step = Math.max(1, rules.length / wanted);
    const few = Array.from(
      { length: Math.min(wanted, rules.length) },
      (_, at) => rules[Math.floor(at * step)],
    ).flatMap((rule) => (rule ? [rule.plan] : []));
    await measure(few, minutes);
  }
} finally {
  await engine.close();
}
process.exit(0);
