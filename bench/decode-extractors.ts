import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { compileExtractors, type DecodeOptions, decodeText, RowBlock, writeRow } from '@tyrian/ingest';
import { contentExtractors } from '../tools/content-extractors.ts';
import { demoLines } from './ingest-sender.ts';

// What the native extractors add to decoding: processor time of an event, decoded and written as a row, without them
// and with all of them on, in turns in one process. Mixes: the demo's, the samples of the extractors, and recorded
// Windows attacks where there are some.
//
// Run: node --import tsx bench/decode-extractors.ts [rounds, 8]

const ROUNDS = Number(process.argv[2] ?? 8);
/** Recordings beside the checkout. */
const RECORDED = fileURLToPath(new URL('../../shared/data/events', import.meta.url));
const all = contentExtractors();
const extractors = compileExtractors(all);
const block = new RowBlock();
const receivedMs = Date.now();
const context = { scope: 's', sourceName: 'bench', sourceAddress: '', receivedMs, batchId: 'b'.repeat(16) };

/** Microseconds of processor time for each event. */
function cost(lines: readonly string[], options: DecodeOptions): number {
  const before = process.cpuUsage();
  for (const [index, raw] of lines.entries()) {
    writeRow(block, context, { event: decodeText(raw, receivedMs, options), raw, index, marks: [] });
    if (block.rows >= 5_000) block.take();
  }
  block.take();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / lines.length;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

function compare(name: string, lines: readonly string[]): void {
  const without: number[] = [];
  const withAll: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const a = cost(lines, {});
    const b = cost(lines, { extractors, heads: new Map() });
    // The first round warms up.
    if (round === 0) continue;
    without.push(a);
    withAll.push(b);
  }
  const [a, b] = [median(without), median(withAll)];
  console.log(
    `${name}: ${lines.length} lines, built-in decoders ${a.toFixed(1)} µs an event, with ${all.length} extractors ${b.toFixed(1)} µs, ratio ${(b / a).toFixed(2)}`,
  );
}

compare('demo mix', demoLines(20_000, 7));
const samples = all.flatMap((extractor) => extractor.samples);
compare(
  'samples',
  Array.from({ length: 20_000 }, (_, n) => samples[n % samples.length] ?? ''),
);
if (existsSync(RECORDED)) {
  const files = readdirSync(RECORDED).filter((name) => name.endsWith('.gz'));
  const lines = files.flatMap((name) =>
    gunzipSync(readFileSync(`${RECORDED}/${name}`))
      .toString()
      .split('\n')
      .filter((line) => line !== ''),
  );
  compare('recorded attacks', lines);
}
