import {
  compileExtractors,
  type DecodedEvent,
  type DecodeOptions,
  decodeRecord,
  decodeText,
  type ExtractorSource,
  jsonFault,
  type LogHeads,
  RowBlock,
  readBulkItems,
  readRowBlocks,
  SyslogStream,
  scanJsonObjects,
  splitLines,
  writeRow,
} from '../../index.ts';
import { mutatedRecord } from './mutated-record.ts';

// One record through everything that reads what senders write: framing, the decoders with and without the native
// extractors, and the row.

const NOW = Date.UTC(2026, 0, 6);
const block = new RowBlock();
const context = { scope: 's', sourceName: 'n', sourceAddress: '', receivedMs: NOW, batchId: 'b'.repeat(16) };

/** One record of so many is written as a row and read back. */
const ROWS_READ = 8;

export interface FuzzedRecord {
  readonly text: string;
  readonly event: DecodedEvent;
  /** The slowest of the ways in which it was read. */
  readonly ms: number;
}

function checkedRow(event: DecodedEvent, raw: string): void {
  writeRow(block, context, { event, raw, index: 0, marks: [] });
  const rows = readRowBlocks(block.take());
  if (rows.length !== 1) throw new Error(`${rows.length} rows of one record`);
  if ((rows[0]?.Raw ?? '') !== Buffer.from(raw).toString()) throw new Error('the row has another text');
}

function checkFraming(text: string): void {
  for (const line of splitLines(text)) if (line === '') throw new Error('an empty line was cut out');
  scanJsonObjects(text);
  Array.from(readBulkItems(text, 'index'));
  const stream = new SyslogStream();
  const bytes = Buffer.from(text);
  const half = bytes.length >> 1;
  for (const part of [bytes.subarray(0, half), bytes.subarray(half)]) [...stream.push(part)];
}

/** Extractors with records that their sources write. */
export interface FuzzedExtractor extends ExtractorSource {
  readonly samples: readonly string[];
}

export type FuzzRecord = (seed: number, index: number, heads: LogHeads) => FuzzedRecord;

/** Reads record number `index` of a seed, made of samples; throws what no sender may be able to cause. */
export function recordFuzzer(sources: readonly FuzzedExtractor[]): FuzzRecord {
  const extractors = compileExtractors(sources);
  const seeds = sources.flatMap(({ samples }) => samples);
  return (seed, index, heads) => fuzzed(mutatedRecord(seeds, seed, index), index, { extractors, heads });
}

function fuzzed(text: string, index: number, options: DecodeOptions): FuzzedRecord {
  let slowest = 0;
  const timed = <T>(run: () => T): T => {
    const before = performance.now();
    const result = run();
    slowest = Math.max(slowest, performance.now() - before);
    return result;
  };
  const event = timed(() => decodeText(text, NOW, options));
  if (event.marks?.includes('decoder-failed')) throw new Error(event.parseError);
  // Reading rows back costs more than all else.
  if (index % ROWS_READ === 0) checkedRow(event, text);
  const plain = timed(() => decodeText(text, NOW));
  if (plain.marks?.includes('decoder-failed')) throw new Error(plain.parseError);
  timed(() => checkFraming(text));
  if (text.startsWith('{') && jsonFault(text) === undefined) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      value = undefined;
    }
    if (typeof value === 'object' && value !== null) {
      const record = value as Record<string, unknown>;
      timed(() => decodeRecord(record, NOW, { ...options, text }));
    }
  }
  return { text, event, ms: slowest };
}
