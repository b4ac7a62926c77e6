import { compileExtractors, decodeText } from '@tyrian/ingest';
import { recordFuzzer } from '../packages/ingest/src/extract/testing/fuzz-record.ts';
import { contentExtractors } from '../tools/content-extractors.ts';

// Mutated records through the framing, every decoder and the native extractors: none may throw, hang, lose its text or
// make the memory grow; then hostile patterns against long texts, which must take time linear in the text.
//
//   node --import tsx bench/fuzz-decoders.ts [records, 1000000] [seed, 1] [first record, 0]
//
// Prints counts, the slowest record and its number, and the memory. Exit code 1 when anything is wrong.

const RECORDS = Number(process.argv[2] ?? 1_000_000);
const SEED = Number(process.argv[3] ?? 1);
const FIRST = Number(process.argv[4] ?? 0);
/** A record has at most some hundred thousand letters; a second would be a way out of linear. */
const LIMIT_MS = 1_000;
const fuzzRecord = recordFuzzer(contentExtractors());
const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

/** A machine that does something else makes a record slow once, not each time. */
function leastMs(index: number, ms: number): number {
  return Math.min(ms, ...[1, 2, 3].map(() => fuzzRecord(SEED, index, new Map()).ms));
}

const counts: Record<string, number> = {};
const heads = new Map<number, readonly string[]>();
let faults = 0;
let letters = 0;
let slowest = { index: -1, ms: 0, letters: 0 };
let peak = 0;
const started = performance.now();
for (let index = FIRST; index < FIRST + RECORDS; index += 1) {
  try {
    const { text, event, ms } = fuzzRecord(SEED, index, heads);
    counts[event.status] = (counts[event.status] ?? 0) + 1;
    letters += text.length;
    const least = ms > slowest.ms ? leastMs(index, ms) : 0;
    if (least > slowest.ms) slowest = { index, ms: least, letters: text.length };
  } catch (error) {
    faults += 1;
    console.log(JSON.stringify({ seed: SEED, index, fault: String(error).slice(0, 400) }));
  }
  if (index % 10_000 === 0) peak = Math.max(peak, process.memoryUsage().rss);
}
console.log({
  ...{ records: RECORDS, seed: SEED, faults, ...counts, letters },
  ...{ seconds: Math.round((performance.now() - started) / 1000), peakMegabytes: megabytes(peak) },
  slowest: { ...slowest, ms: Math.round(slowest.ms * 10) / 10 },
});

const HOSTILE = [
  '^(a+)+$',
  '(a|a)*b',
  '^(?:a?){50}a{50}',
  '(.*a){20}b',
  '([a-z]+)*\\d',
  '^(\\s*x*)*$',
  '(a*)*c',
];

/** Milliseconds for one text of so many letters. */
function timeOf(pattern: string, length: number): number {
  const yaml = [
    'schema-version: 1\nsource-name: hostile\nsource-type: Test\nstreams: [Generic]',
    `master-filters: ['${pattern}']`,
    `event-details: { first-match: [{ decoder: regex, pattern: '${pattern}' }] }\nfallback: built-in\n`,
  ].join('\n');
  const extractors = compileExtractors([{ id: 10_001, yaml }]);
  if (extractors.size !== 1) throw new Error(`${pattern} is no pattern`);
  const text = `${'a'.repeat(length)}!`;
  const before = performance.now();
  decodeText(text, Date.UTC(2026, 0, 6), { extractors });
  return performance.now() - before;
}

let tooSlow = 0;
for (const pattern of HOSTILE) {
  timeOf(pattern, 100);
  const times = [1_000, 10_000, 1_000_000].map((length) => timeOf(pattern, length));
  const isSlow = Math.max(...times) > LIMIT_MS * 5;
  if (isSlow) tooSlow += 1;
  console.log(
    `${pattern}: ${times.map((ms) => ms.toFixed(1)).join(', ')} ms for 1,000, 10,000, 1,000,000 letters`,
  );
}
process.exitCode = faults + tooSlow === 0 && slowest.ms <= LIMIT_MS ? 0 : 1;
