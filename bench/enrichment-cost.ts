import {
  decodeText,
  EventEnricher,
  GeoDatabase,
  indicatorEntry,
  packEnrichmentSet,
  packGeoDatabase,
  packKeyTable,
  prefixesOf,
  RowBlock,
  readEnrichmentSet,
  readIndicators,
  writeRow,
} from '@tyrian/ingest';
import { readGeoFiles } from '../server/src/features/enrichment/geo-databases.ts';
import { demoLines } from './ingest-sender.ts';

// What enrichment costs an event: processor time for decoding and writing the demo mix without it, with the databases of
// addresses, and with 100,000 indicators besides, in turns, so that a busy machine is busy for all of them.
//
// Run: node --import tsx bench/enrichment-cost.ts

const EVENTS = 20_000;
const ROUNDS = 7;

function indicators(): string {
  const lines: string[] = [];
  for (let n = 0; n < 50_000; n += 1) lines.push(`45.${n % 256}.${n >> 8}.7`);
  for (let n = 0; n < 25_000; n += 1) lines.push(`evil${n}.example.com`);
  for (let n = 0; n < 25_000; n += 1) lines.push(String(n).padStart(64, 'a'));
  for (const prefix of [8, 12, 16, 20, 22, 24]) lines.push(`99.0.0.0/${prefix}`);
  return lines.join('\n');
}

const cpuMicros = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

const began = cpuMicros();
const packed = packGeoDatabase(readGeoFiles());
console.log(
  `databases of addresses: ${(packed.byteLength / 1e6).toFixed(1)} MB, packed in ${((cpuMicros() - began) / 1e6).toFixed(1)} s of processor time`,
);
const geo = new GeoDatabase(packed);
const beganList = cpuMicros();
const entries = readIndicators(indicators(), 'lines', { confidence: 50 }).entries.map(indicatorEntry);
const image = packKeyTable(entries);
console.log(
  `${entries.length} indicators: ${(image.byteLength / 1e6).toFixed(1)} MB, read and packed in ${((cpuMicros() - beganList) / 1e6).toFixed(1)} s of processor time`,
);
const table = { id: 't', name: 'List', kind: 'indicators', version: 1, columns: [] } as const;
const set = packEnrichmentSet('1', [{ ...table, prefixes: prefixesOf(entries), image }]);
const ways: readonly (readonly [string, EventEnricher | null])[] = [
  ['without', null],
  ['databases', new EventEnricher(geo)],
  ['databases and indicators', new EventEnricher(geo, readEnrichmentSet(set))],
];

const demo = demoLines(EVENTS, 1);
const receivedMs = Date.now();
const context = { scope: 's', sourceName: 'b', sourceAddress: '', receivedMs, batchId: '00000000000000a0' };
const block = new RowBlock();
const best = new Map<string, number>();
let bytes = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, enricher] of ways) {
    const before = cpuMicros();
    for (const [index, raw] of demo.entries()) {
      const event = decodeText(raw, receivedMs);
      enricher?.enrich(event, receivedMs);
      writeRow(block, context, { event, raw, index, marks: [] });
    }
    bytes = block.take().length;
    const micros = (cpuMicros() - before) / EVENTS;
    best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, micros));
  }
}
const base = best.get('without') ?? 0;
for (const [name, micros] of best)
  console.log(`${name}: ${micros.toFixed(1)} µs an event (+${(micros - base).toFixed(1)} µs)`);
console.log(`${(bytes / EVENTS).toFixed(0)} bytes a row in a block`);
