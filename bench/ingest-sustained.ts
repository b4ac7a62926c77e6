import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { seedCompany } from '../server/src/features/identity/users/testing/seed-company.ts';
import { ingestFeature } from '../server/src/features/ingest/ingest-feature.ts';
import { tenantDatabase } from '../server/src/platform/clickhouse/event-store.ts';
import { readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { servePromptly } from '../server/src/platform/serve-promptly.ts';
import { type RunningServer, startServer } from '../server/src/start-server.ts';
import { cpuTimes, perEvent } from './ingest-cpu-time.ts';
import { finishedRows, insertsUntilNow, sustainedInsert, withMerges } from './ingest-measurements.ts';
import { linesOf, type Mix, startSender } from './ingest-sender.ts';

// What ingest holds for minutes on end, merges included: a mix of events over HTTP, acknowledged, again and again; recorded
// ones carry the time at which they are sent. Told are the rate and how it goes minute by minute, whether parts and memory
// grow, what an event takes on disk, and, in the same run, how fast the engine takes the same rows, finished, as lines of
// JSON with as many rows an insert.
//
// Run: node --import tsx bench/ingest-sustained.ts [--mix demo|recorded] [--minutes 10]
// The recorded mix needs the recordings beside the checkout.

const { values } = parseArgs({
  options: {
    mix: { type: 'string', default: 'demo' },
    minutes: { type: 'string', default: '10' },
    lines: { type: 'string', default: '2000' },
    connections: { type: 'string', default: '8' },
  },
});
const mix = values.mix as Mix;
const seconds = Number(values.minutes) * 60;
/** Lines that are made; a longer run sends them again. */
const MADE = mix === 'demo' ? 400_000 : 60_000;
const SAMPLE_MS = 15_000;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

interface Sample {
  readonly rows: number;
  readonly parts: number;
  readonly merges: number;
  readonly serverMiB: number;
  readonly engineMiB: number;
}

function residentMiB(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Math.round(Number(kib) / 1024);
}

async function sampleOf(server: RunningServer, database: string, enginePid: number): Promise<Sample> {
  const store = server.platform.eventStore;
  const [parts] = await store.systemRows<{ rows: string; parts: string }>(
    "SELECT sum(rows) AS rows, count() AS parts FROM system.parts WHERE active AND database = {database:String} AND table = 'events'",
    { database },
  );
  const [merges] = await store.systemRows<{ merges: string }>('SELECT count() AS merges FROM system.merges');
  return {
    rows: Number(parts?.rows ?? 0),
    parts: Number(parts?.parts ?? 0),
    merges: Number(merges?.merges ?? 0),
    serverMiB: residentMiB(process.pid),
    engineMiB: residentMiB(enginePid),
  };
}

/** Bytes on disk of the table, and of its text index. */
async function sizeOf(server: RunningServer, database: string) {
  const [size] = await server.platform.eventStore.systemRows<{
    rows: string;
    disk: string;
    index: string;
  }>(
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS disk, sum(secondary_indices_compressed_bytes) AS index
     FROM system.parts WHERE active AND database = {database:String} AND table = 'events'`,
    { database },
  );
  return { rows: Number(size?.rows), disk: Number(size?.disk), index: Number(size?.index) };
}

async function openTarget(folder: string) {
  const config = readConfig({ TYRIAN_DATA: folder, TYRIAN_INGEST_PORT: '0', TYRIAN_SYSLOG_PORT: '0' });
  const server = await startServer({ config, checkout: folder, log: createLog('error'), roles: ['ingest'] });
  servePromptly();
  const company = await seedCompany(server.platform);
  const { sources } = ingestFeature(server.platform, { audit: company.identity.audit });
  const { clusterId, scope: scopeId } = company.a;
  const made = { clusterId, scopeId, name: 'bench', kind: 'http', networks: [], by: null } as const;
  const { token } = await sources.create(made);
  return { server, company, token: token ?? '', url: `${server.ingestAddress}/ingest/ndjson` };
}

type Target = Awaited<ReturnType<typeof openTarget>>;

async function sustain({ server, company, token, url }: Target, folder: string) {
  const database = tenantDatabase(company.a.clusterId);
  const enginePid = Number.parseInt(readFileSync(path.join(folder, 'clickhouse.pid'), 'latin1'), 10);
  const order = { url, token, mix, events: MADE, connections: Number(values.connections) };
  const sender = await startSender({ ...order, linesPerRequest: Number(values.lines), seconds });
  const [before, insertsBefore] = [cpuTimes(folder), await insertsUntilNow(server)];
  const sent = sender.send();
  let last: Sample | undefined;
  const sampling = setInterval(() => {
    void sampleOf(server, database, enginePid).then((sample) => {
      const rate = Math.round((sample.rows - (last?.rows ?? 0)) / (SAMPLE_MS / 1000));
      const { parts, merges, serverMiB, engineMiB } = sample;
      say(
        `  ${rate}/s · ${parts} parts, ${merges} merges · server ${serverMiB} MiB, engine ${engineMiB} MiB`,
      );
      last = sample;
    });
  }, SAMPLE_MS);
  const { events, bytes, seconds: took } = await sent.finally(() => clearInterval(sampling));
  const inserts = (await insertsUntilNow(server)) - insertsBefore;
  const whileSent = perEvent(before, cpuTimes(folder), events);
  say(
    `${mix}: ${Math.round(events / took)} events/s, ${(bytes / took / 1e6).toFixed(1)} MB/s over ${Math.round(took)} s`,
  );
  say(`  ${whileSent}`);
  const reached = await withMerges(server.platform, events, took);
  const { rows, disk, index } = await sizeOf(server, database);
  const raw = bytes / events;
  const share = (size: number) =>
    `${(size / rows).toFixed(0)} bytes, ${(size / rows / raw).toFixed(3)} of raw`;
  say(
    `  stored ${rows} of ${events}; on disk an event: ${share(disk)}; without indexes ${share(disk - index)}`,
  );
  return { reached, rowsPerInsert: Math.max(1, Math.round(events / inserts)) };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-bench-'));
  chmodSync(folder, 0o711);
  const target = await openTarget(folder);
  try {
    const { reached, rowsPerInsert } = await sustain(target, folder);
    const { company, server } = target;
    const batches = finishedRows(linesOf(mix, MADE), company.b.scope, rowsPerInsert).lines;
    const insert = { dataFolder: folder, batches, rowsPerInsert, seconds };
    const baseline = await sustainedInsert(server, company.b.clusterId, insert);
    const ratios = [reached.rate / baseline.rate, reached.mergedRate / baseline.mergedRate];
    const [whileSent, merged] = ratios.map((ratio) => ratio.toFixed(2));
    say(`ratio to the insert of the same rows as JSON: ${whileSent}, with merges ${merged} (goal 0.8)`);
  } finally {
    await target.server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
