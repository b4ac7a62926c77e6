import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { decodeText, writeRow } from '@tyrian/ingest';
import { ingestFeature } from '../server/src/features/ingest/ingest-feature.ts';
import { seedCompany } from '../server/src/features/users/testing/seed-company.ts';
import { readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { type RunningServer, startServer } from '../server/src/start-server.ts';
import { cpuTimes, perEvent } from './ingest-cpu-time.ts';
import { demoLines } from './ingest-sender.ts';

// Events per second through HTTP, decoding and normalising included, against inserting finished rows, in the same
// run on the same engines. Run: node --import tsx bench/ingest-http.ts [--events 200000]

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '200000' },
    lines: { type: 'string', default: '2000' },
    connections: { type: 'string', default: '16' },
  },
});
const events = Number(values.events);
const linesPerRequest = Number(values.lines);
const connections = Number(values.connections);
const RAW_BATCH = 50_000;
const IN_FLIGHT = 2;

/** Rows as ingest writes them, made before the clock starts. */
function finishedRows(lines: readonly string[], scope: string): Buffer[] {
  const receivedMs = Date.now();
  const context = { scope, sourceName: 'bench', sourceAddress: '', receivedMs, batchId: 'b'.repeat(16) };
  const batches: Buffer[] = [];
  for (let at = 0; at < lines.length; at += RAW_BATCH) {
    const rows = lines
      .slice(at, at + RAW_BATCH)
      .map(
        (raw, n) =>
          writeRow(context, { event: decodeText(raw, receivedMs), raw, index: at + n, marks: [] }).line,
      );
    batches.push(Buffer.from(rows.join('')));
  }
  return batches;
}

async function rawInsert(
  server: RunningServer,
  clusterId: string,
  batches: readonly Buffer[],
): Promise<number> {
  const started = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < batches.length) {
      const at = next++;
      await server.platform.eventStore.insertRows(clusterId, batches[at] as Buffer, {
        dedupToken: `raw-${at}-${started}`,
      });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return events / ((performance.now() - started) / 1000);
}

function messageOf<T>(child: ChildProcess, field: string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the sender ended with ${code}`)));
    child.on('message', (message: Record<string, T>) => field in message && resolve(message[field] as T));
  });
}

async function overHttp(url: string, token: string): Promise<number> {
  const child = fork(path.join(import.meta.dirname, 'ingest-sender.ts'), [], {
    execArgv: ['--import', 'tsx'],
  });
  const ready = messageOf<number>(child, 'ready');
  const seconds = messageOf<number>(child, 'seconds');
  child.send({ url, token, events, linesPerRequest, connections });
  await ready;
  child.send('go');
  return events / (await seconds);
}

/** Runs one measurement and says what it came to. */
async function measured(name: string, dataFolder: string, run: () => Promise<number>): Promise<number> {
  const before = cpuTimes(dataFolder);
  const rate = await run();
  const cpu = perEvent(before, cpuTimes(dataFolder), events);
  process.stdout.write(`${name}: ${Math.round(rate)}/s, ${cpu}\n`);
  return rate;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-bench-'));
  chmodSync(folder, 0o711);
  const config = readConfig({ TYRIAN_DATA: folder, TYRIAN_INGEST_PORT: '0', TYRIAN_SYSLOG_PORT: '0' });
  const server = await startServer({ config, checkout: folder, log: createLog('error'), roles: ['ingest'] });
  try {
    const company = await seedCompany(server.platform);
    const { sources } = ingestFeature(server.platform, { audit: company.identity.audit });
    const { clusterId, scope: scopeId } = company.a;
    const { token } = await sources.create({
      clusterId,
      scopeId,
      name: 'bench',
      kind: 'http',
      networks: [],
      by: null,
    });
    const url = `${server.ingestAddress}/ingest/ndjson`;
    const raw: number[] = [];
    const http: number[] = [];
    for (const round of [1, 2]) {
      // Round 1 warms caches and compilers and is not counted.
      const batches = finishedRows(demoLines(events, 7), company.b.scope);
      const rawRate = await measured(`round ${round}, raw insert`, folder, () =>
        rawInsert(server, company.b.clusterId, batches),
      );
      const httpRate = await measured(`round ${round}, HTTP`, folder, () => overHttp(url, token ?? ''));
      if (round === 1) continue;
      raw.push(rawRate);
      http.push(httpRate);
    }
    const mean = (rates: readonly number[]) => rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    const { rows } = await server.platform.eventStore.rows(clusterId, {
      sql: 'SELECT count() FROM events',
      scopes: 'all',
    });
    process.stdout.write(`stored ${rows[0]?.[0]} of ${events * 2}\n`);
    process.stdout.write(
      `ingest over HTTP ${Math.round(mean(http))} events/s; raw insert ${Math.round(mean(raw))} rows/s; ratio ${(mean(http) / mean(raw)).toFixed(2)}\n`,
    );
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
