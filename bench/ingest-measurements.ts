import { decodeText, RowBlock, readRowBlocks, rowAsJson, writeRow } from '@tyrian/ingest';
import type { EventStore } from '../server/src/platform/clickhouse/event-store.ts';
import type { RunningServer } from '../server/src/start-server.ts';
import { cpuTimes, perEvent } from './ingest-cpu-time.ts';

// What the benchmarks of ingest share: finished rows as a baseline, and how inserts, merges and processor time are read.

/** Inserts of the baseline at a time. */
const IN_FLIGHT = 2;

export interface FinishedRows {
  /** Lines of JSON, the form in which ClickHouse's client sends objects. */
  readonly lines: readonly Buffer[];
  /** The same rows as ingest itself sends them. */
  readonly blocks: readonly Buffer[];
}

/** Rows as ingest makes them, made before the clock starts. */
export function finishedRows(records: readonly string[], scope: string, rowsPerInsert: number): FinishedRows {
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

/** Inserts finished rows; answers rows a second. */
export async function rawInsert(
  server: RunningServer,
  clusterId: string,
  batches: readonly Buffer[],
  format: 'JSONEachRow' | 'Native',
  rows: number,
): Promise<number> {
  const { seconds } = await insertWhile(
    server,
    clusterId,
    batches,
    format,
    (inserts) => inserts < batches.length,
  );
  return rows / seconds;
}

/** Inserts the batches one after the other, from the first again after the last, while `isWanted` says so. */
async function insertWhile(
  server: RunningServer,
  clusterId: string,
  batches: readonly Buffer[],
  format: 'JSONEachRow' | 'Native',
  isWanted: (inserts: number) => boolean,
): Promise<{ readonly inserts: number; readonly seconds: number }> {
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    while (isWanted(next)) {
      const at = next++;
      await server.platform.eventStore.insertRows(clusterId, batches[at % batches.length] as Buffer, {
        dedupToken: `raw-${at}-${started}`,
        format,
      });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return { inserts: next, seconds: (performance.now() - started) / 1000 };
}

export interface SustainedRate {
  /** Events a second until the last was acknowledged. */
  readonly rate: number;
  /** Until the engine had also merged them. */
  readonly mergedRate: number;
}

/** Waits for the merges of what was sent; says how long that took. */
export async function withMerges(
  { eventStore }: RunningServer['platform'],
  events: number,
  seconds: number,
): Promise<SustainedRate> {
  const startedMs = performance.now();
  await mergesDone(eventStore);
  const left = (performance.now() - startedMs) / 1000;
  const [rate, mergedRate] = [events / seconds, events / (seconds + left)];
  process.stdout.write(
    `  ${left.toFixed(0)} s until the engine had merged what was left: ${Math.round(mergedRate)} events/s with merges\n`,
  );
  return { rate, mergedRate };
}

/** Inserts finished rows again and again for so long; says and answers rows a second. */
export async function sustainedInsert(
  server: RunningServer,
  clusterId: string,
  { dataFolder, batches, rowsPerInsert, seconds }: SustainedInsert,
): Promise<SustainedRate> {
  const before = cpuTimes(dataFolder);
  const untilMs = performance.now() + seconds * 1000;
  const isWanted = () => performance.now() < untilMs;
  const sent = await insertWhile(server, clusterId, batches, 'JSONEachRow', isWanted);
  const rows = sent.inserts * rowsPerInsert;
  const cpu = perEvent(before, cpuTimes(dataFolder), rows);
  process.stdout.write(
    `the same rows as JSON, ${rowsPerInsert} an insert: ${Math.round(rows / sent.seconds)}/s, ${cpu}\n`,
  );
  return withMerges(server.platform, rows, sent.seconds);
}

interface SustainedInsert {
  readonly dataFolder: string;
  /** Lines of JSON. */
  readonly batches: readonly Buffer[];
  readonly rowsPerInsert: number;
  readonly seconds: number;
}

/** Waits until the engine merges nothing. */
export async function mergesDone(store: Pick<EventStore, 'systemRows'>): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    const [row] = await store.systemRows<{ merges: string }>('SELECT count() AS merges FROM system.merges');
    quiet = Number(row?.merges) === 0 ? quiet + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Inserts that the engine has seen. */
export async function insertsUntilNow(server: RunningServer): Promise<number> {
  const [row] = await server.platform.eventStore.systemRows<{ inserts: string }>(
    `SELECT value AS inserts FROM system.events WHERE event = 'InsertQuery'`,
  );
  return Number(row?.inserts ?? 0);
}

/** Runs one measurement and says what it came to. */
export async function measured(
  name: string,
  dataFolder: string,
  events: number,
  run: () => Promise<number>,
): Promise<number> {
  const before = cpuTimes(dataFolder);
  const rate = await run();
  const cpu = perEvent(before, cpuTimes(dataFolder), events);
  process.stdout.write(`${name}: ${Math.round(rate)}/s, ${cpu}\n`);
  return rate;
}
