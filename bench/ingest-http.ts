import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { decodeText, RowBlock, readRowBlocks, rowAsJson, writeRow } from '@tyrian/ingest';
import { seedCompany } from '../server/src/features/identity/users/testing/seed-company.ts';
import { ingestFeature } from '../server/src/features/ingest/ingest-feature.ts';
import { readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { type RunningServer, startServer } from '../server/src/start-server.ts';
import { cpuTimes, perEvent } from './ingest-cpu-time.ts';
import { demoLines } from './ingest-sender.ts';

// Events per second through HTTP against inserting finished rows, in the same run on the same engines.
//
// What is compared: over HTTP, lines of the demo mix are received, decoded, normalised, stored and acknowledged. The
// baseline stores the same rows, already decoded, in the same table definition, with the same settings (synced to
// disk before the answer), the same number of rows in an insert (what ingest
// came to in the round before) and the same number of inserts at a time, by the usual way of
// a client: `INSERT … FORMAT JSONEachRow` through ClickHouse's own client. Ingest itself sends Native blocks, which
// the engine reads faster; inserting those is measured too, as the second baseline. Merges run as they come, and each
// measurement begins when those of the one before are done. On a machine that others use, compare processor time.
//
// Run: node --import tsx bench/ingest-http.ts [--events 200000]

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
/** Rows in an insert of the first round, before it is known how many ingest puts into one. */
const FIRST_BATCH = 25_000;
const IN_FLIGHT = 2;

interface FinishedRows {
  /** Lines of JSON, the form in which ClickHouse's client sends objects. */
  readonly lines: readonly Buffer[];
  /** The same rows as ingest itself sends them. */
  readonly blocks: readonly Buffer[];
}

/** Rows as ingest makes them, made before the clock starts. */
function finishedRows(records: readonly string[], scope: string, rowsPerInsert: number): FinishedRows {
  const receivedMs = Date.now();
  const context = { scope, sourceName: 'bench', sourceAddress: '', receivedMs, batchId: 'b'.repeat(16) };
  const block = new RowBlock();
  const lines: Buffer[] = [];
  const blocks: Buffer[] = [];
  for (let at = 0; at < records.length; at += rowsPerInsert) {
    for (const [n, raw] of records.slice(at, at + rowsPerInsert).entries())
      writeRow(block, context, { event: decodeText(raw, receivedMs), raw, index: at + n, marks: [] });
    const bytes = Buffer.from(block.take());
    blocks.push(bytes);
    lines.push(Buffer.from(`${readRowBlocks(bytes).map(rowAsJson).join('\n')}\n`));
  }
  return { lines, blocks };
}

async function rawInsert(
  server: RunningServer,
  clusterId: string,
  batches: readonly Buffer[],
  format: 'JSONEachRow' | 'Native',
): Promise<number> {
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < batches.length) {
      const at = next++;
      await server.platform.eventStore.insertRows(clusterId, batches[at] as Buffer, {
        dedupToken: `raw-${at}-${started}`,
        format,
      });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
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

/** Waits until the engine merges nothing. */
async function mergesDone(server: RunningServer): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    const [row] = await server.platform.eventStore.systemRows<{ merges: string }>(
      'SELECT count() AS merges FROM system.merges',
    );
    quiet = Number(row?.merges) === 0 ? quiet + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

type Way = 'lines' | 'blocks' | 'http';

async function insertsUntilNow(server: RunningServer): Promise<number> {
  const [row] = await server.platform.eventStore.systemRows<{ inserts: string }>(
    `SELECT value AS inserts FROM system.events WHERE event = 'InsertQuery'`,
  );
  return Number(row?.inserts ?? 0);
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
    const rates: Record<Way, number[]> = { lines: [], blocks: [], http: [] };
    let rowsPerInsert = FIRST_BATCH;
    for (const round of [1, 2]) {
      // Round 1 warms caches and compilers and is not counted.
      const rows = finishedRows(demoLines(events, 7), company.b.scope, rowsPerInsert);
      const raw = (format: 'JSONEachRow' | 'Native', bodies: readonly Buffer[]) => () =>
        rawInsert(server, company.b.clusterId, bodies, format);
      const ways: readonly (readonly [Way, string, () => Promise<number>])[] = [
        ['lines', 'raw insert of JSON', raw('JSONEachRow', rows.lines)],
        ['blocks', 'raw insert of blocks', raw('Native', rows.blocks)],
        ['http', 'HTTP', () => overHttp(url, token ?? '')],
      ];
      for (const [way, name, run] of ways) {
        await mergesDone(server);
        const before = await insertsUntilNow(server);
        const rate = await measured(`round ${round}, ${name}`, folder, run);
        const inserts = (await insertsUntilNow(server)) - before;
        process.stdout.write(`  ${Math.round(events / inserts)} rows in an insert\n`);
        if (way === 'http') rowsPerInsert = Math.round(events / inserts);
        if (round > 1) rates[way].push(rate);
      }
    }
    const mean = (all: readonly number[]) => all.reduce((sum, rate) => sum + rate, 0) / all.length;
    const { rows } = await server.platform.eventStore.rows(clusterId, {
      sql: 'SELECT count() FROM events',
      scopes: 'all',
    });
    process.stdout.write(`stored ${rows[0]?.[0]} of ${events * 2}\n`);
    const [http, lines, blocks] = [mean(rates.http), mean(rates.lines), mean(rates.blocks)];
    process.stdout.write(
      `ingest over HTTP ${Math.round(http)} events/s; raw insert ${Math.round(lines)} rows/s; ratio ${(http / lines).toFixed(2)}\n` +
        `raw insert of blocks ${Math.round(blocks)} rows/s; ratio ${(http / blocks).toFixed(2)}\n`,
    );
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
