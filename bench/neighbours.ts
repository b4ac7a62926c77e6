import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { askFind } from './ask-find.ts';
import { ranked } from './made-events.ts';
import { ATTACKS, openTenant, type TenantCalls } from './neighbour-attacks.ts';
import { inPatience, pause, smallBatch, startBenchServer, timedCall } from './start-bench-server.ts';
import { startNeighbourAttacker } from './start-neighbour-attacker.ts';

// What tenant B notices of tenant A's attacks: a small search through the calls of Find, and a small batch of events.
// Quiet and attacked samples of the same run alternate; the figure is the ratio of their 95th percentiles, which should
// not pass 1.5, and the most memory that the server's process ever took, which should stay below the bound.
//
// Run: node --import tsx bench/neighbours.ts [--rounds 3] [--samples 10] [--only S07]

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    samples: { type: 'string', default: '10' },
    /** Only attacks whose name has this in it. */
    only: { type: 'string', default: '' },
  },
});
const ROUNDS = Number(values.rounds);
const SAMPLES = Number(values.samples);
const MAX_RATIO = 1.5;
const MAX_MEMORY_MIB = 2048;
/** A server that has just started compiles and writes the shipped detections of its tenants first. */
const SETTLE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Rows of a search; a batch brings as many. */
const ROWS = 20;
/** So long an attack runs before its first sample. */
const WARM_UP_MS = 1500;

interface Samples {
  readonly search: number[];
  readonly ingest: number[];
  failures: number;
}

const noSamples = (): Samples => ({ search: [], ingest: [], failures: 0 });

async function sampleCall(into: Samples, kind: 'search' | 'ingest', work: () => Promise<boolean>) {
  const { ms, isFine } = await timedCall(work);
  into[kind].push(ms);
  if (!isFine) into.failures += 1;
}

async function sample(b: TenantCalls, into: Samples, times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    await sampleCall(into, 'ingest', async () => (await b.ingest(smallBatch())).http === 200);
    await sampleCall(into, 'search', async () => {
      const range = { from: Date.now() - DAY_MS, to: Date.now() };
      const rows = await askFind(target, `Events | take ${ROWS} | project TimeGenerated, Raw`, range);
      return rows === ROWS;
    });
  }
}

function line(name: string, quiet: Samples, attacked: Samples): string {
  const cells = (['search', 'ingest'] as const).flatMap((kind) => {
    const [before, during] = [ranked(quiet[kind], 0.95), ranked(attacked[kind], 0.95)];
    return [
      `${ranked(quiet[kind], 0.5).toFixed(0)} / ${before.toFixed(0)}`,
      `${ranked(attacked[kind], 0.5).toFixed(0)} / ${during.toFixed(0)}`,
      `${(during / before).toFixed(2)}${during / before > MAX_RATIO ? ' !' : ''}`,
    ];
  });
  return `${[name.padEnd(18), ...cells.map((cell) => cell.padStart(15)), String(attacked.failures).padStart(8)].join('')}\n`;
}

/** The most memory the process ever took, in MiB; 0 where the system does not tell. */
function peakMemory(pid: number): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Math.round(Number(found?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

const { server, stop: stopServer } = await startBenchServer();
const attacker = await startNeighbourAttacker(server);
const b = openTenant(server, server.b, '127.0.0.1');
const target = { address: server.address, ...server.b };
try {
  await sample(b, noSamples(), SAMPLES);
  await pause(SETTLE_MS);
  await sample(b, noSamples(), SAMPLES);
  const found = new Map<string, { quiet: Samples; attacked: Samples; peak: number }>();
  for (const name of Object.keys(ATTACKS).filter((each) => each.includes(values.only))) {
    const both = { quiet: noSamples(), attacked: noSamples(), peak: 0 };
    found.set(name, both);
    for (let round = 0; round < ROUNDS; round += 1) {
      await sample(b, both.quiet, SAMPLES);
      await attacker.begin(name);
      await pause(WARM_UP_MS);
      await sample(b, both.attacked, SAMPLES);
      await inPatience(attacker.end());
      await pause(WARM_UP_MS);
    }
    both.peak = peakMemory(server.pid);
    process.stderr.write(`${name}: done, the server took up to ${both.peak} MiB so far\n`);
  }
  const heads = ['search quiet', 'attacked', 'p95 ratio', 'insert quiet', 'attacked', 'p95 ratio'];
  process.stdout.write(
    `B's p50 / p95 in ms, quiet and while A attacks; target: ratio at most ${MAX_RATIO}\n`,
  );
  process.stdout.write(`${' '.repeat(18)}${heads.map((head) => head.padStart(15)).join('')}  failed\n`);
  for (const [name, { quiet, attacked }] of found) process.stdout.write(line(name, quiet, attacked));
  const peak = peakMemory(server.pid);
  process.stdout.write(
    `most memory of the server's process: ${peak} MiB, bound ${MAX_MEMORY_MIB} MiB${peak > MAX_MEMORY_MIB ? ' !' : ''}\n`,
  );
} finally {
  attacker.stop();
  b.close();
  await stopServer();
}
process.exit(0);
