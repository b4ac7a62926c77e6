import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { seedCompany } from '../server/src/features/identity/users/testing/seed-company.ts';
import { ingestFeature } from '../server/src/features/ingest/ingest-feature.ts';
import { readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { startServer } from '../server/src/start-server.ts';
import { finishedRows, insertsUntilNow, measured, mergesDone, rawInsert } from './ingest-measurements.ts';
import { demoLines, startSender } from './ingest-sender.ts';

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

async function overHttp(url: string, token: string): Promise<number> {
  const sender = await startSender({ url, token, mix: 'demo', events, linesPerRequest, connections });
  const { seconds } = await sender.send();
  return events / seconds;
}

type Way = 'lines' | 'blocks' | 'http';

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
        rawInsert(server, company.b.clusterId, bodies, format, events);
      const ways: readonly (readonly [Way, string, () => Promise<number>])[] = [
        ['lines', 'raw insert of JSON', raw('JSONEachRow', rows.lines)],
        ['blocks', 'raw insert of blocks', raw('Native', rows.blocks)],
        ['http', 'HTTP', () => overHttp(url, token ?? '')],
      ];
      for (const [way, name, run] of ways) {
        await mergesDone(server.platform.eventStore);
        const before = await insertsUntilNow(server);
        const rate = await measured(`round ${round}, ${name}`, folder, events, run);
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
