import {
  type DecodedEvent,
  type IngestMark,
  MAX_RECORD_CHARS,
  type RowContext,
  writeRow,
} from '@tyrian/ingest';
import type { CountName, Counts, RowChunk } from './ingest-batch.ts';

// Gathers the rows of one batch into chunks that the store takes well, and counts what they are.

/** A chunk is handed on when it holds this much; an insert groups chunks of several batches. */
const CHUNK_ROWS = 20_000;
const CHUNK_CHARS = 16 * 1024 * 1024;

const encoder = new TextEncoder();

export interface RecordToStore {
  readonly event: DecodedEvent;
  readonly raw: string;
  /** The record holds bytes that are no UTF-8. */
  readonly isDamaged?: boolean;
  readonly sourceName?: string | undefined;
}

export class RowCollector {
  readonly counts: Counts = {};
  readonly #context: RowContext;
  readonly #emit: (chunk: RowChunk) => void;
  #index = 0;
  #lines: string[] = [];
  #chars = 0;
  #days = new Set<number>();

  constructor(context: RowContext, emit: (chunk: RowChunk) => void) {
    this.#context = context;
    this.#emit = emit;
  }

  count(name: CountName, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** Adds one record; every record that is added is stored. */
  add(record: RecordToStore): void {
    const { event, sourceName } = record;
    const marks: IngestMark[] = [];
    if (record.isDamaged) marks.push('invalid-utf8');
    let raw = record.raw;
    if (raw.length > MAX_RECORD_CHARS) {
      raw = raw.slice(0, MAX_RECORD_CHARS);
      marks.push('truncated');
      event.ext.IngestedOfChars = record.raw.length;
    }
    const written = writeRow(this.#context, { event, raw, index: this.#index, marks, sourceName });
    this.#index += 1;
    this.#lines.push(written.line);
    this.#chars += written.line.length;
    this.#days.add(written.day);
    this.count('received');
    this.count('stored');
    if (written.status === 'PER') this.count('parse_error');
    if (written.status === 'NLF') this.count('no_extractor');
    for (const mark of written.marks) this.count(mark);
    if (this.#lines.length >= CHUNK_ROWS || this.#chars >= CHUNK_CHARS) this.flush();
  }

  /** Hands on what is left. */
  flush(): void {
    if (this.#lines.length === 0) return;
    const rows = this.#lines.length;
    const body = encoder.encode(this.#lines.join(''));
    this.#emit({ body, rows, days: [...this.#days] });
    this.#lines = [];
    this.#chars = 0;
    this.#days = new Set();
  }
}
