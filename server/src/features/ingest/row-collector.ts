import {
  AuditRecordGroup,
  type DecodedEvent,
  type EventEnricher,
  type IngestMark,
  MAX_RECORD_CHARS,
  RowBlock,
  type RowContext,
  type StoredIdentity,
  writeRow,
} from '@tyrian/ingest';
import type { CountName, Counts, RowChunk } from './ingest-batch.ts';

// Gathers the rows of one batch into chunks that the store takes well, and counts what they are.

/** A chunk is handed on when it holds this much; an insert groups chunks of several batches. */
const CHUNK_ROWS = 20_000;
const CHUNK_CHARS = 16 * 1024 * 1024;

/** Batches of a thread follow each other, so that one block's buffers serve them all. */
const block = new RowBlock();
const NONE: ReadonlySet<number> = new Set();

export interface RecordToStore {
  readonly event: DecodedEvent;
  readonly raw: string;
  /** The record holds bytes that are no UTF-8. */
  readonly isDamaged?: boolean;
  readonly sourceName?: string | undefined;
}

/** An event that is stored already and was read again. */
export interface StoredRecord extends RecordToStore {
  readonly identity: StoredIdentity;
  /** Its time of arrival, and where it came from. */
  readonly place: Pick<RowContext, 'receivedMs' | 'sourceAddress'>;
}

interface RowRules {
  readonly stored?: ReadonlySet<number> | undefined;
  readonly dropped?: readonly string[] | undefined;
  readonly enricher?: EventEnricher | null;
  /** Where blocks of rows are written; without it each has memory of its own. */
  readonly memory?: ((bytes: number) => Uint8Array) | undefined;
}

export class RowCollector {
  readonly counts: Counts = {};
  /** Of the records as they are kept. */
  rawBytes = 0;
  readonly #context: RowContext;
  readonly #emit: (chunk: RowChunk) => void;
  readonly #stored: ReadonlySet<number>;
  readonly #dropped: ReadonlySet<string>;
  readonly #auditRecords = new AuditRecordGroup();
  readonly #enricher: EventEnricher | null;
  readonly #memory: ((bytes: number) => Uint8Array) | undefined;
  #index = 0;
  #chars = 0;

  /**
   * `stored`: positions in the batch whose rows the store has already; `dropped`: streams that are not stored. Both are
   * counted and not written. `enricher`: what adds to events before they are written.
   */
  constructor(
    context: RowContext,
    emit: (chunk: RowChunk) => void,
    { stored = NONE, dropped = [], enricher = null, memory }: RowRules = {},
  ) {
    this.#context = context;
    this.#enricher = enricher;
    this.#memory = memory;
    this.#emit = emit;
    this.#stored = stored;
    this.#dropped = new Set(dropped);
    block.clear();
  }

  count(name: CountName, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** Adds one record; every record that is added is stored, unless it is already. */
  add(record: RecordToStore): void {
    const { event, sourceName } = record;
    if (event.sourceType === 'auditd') this.#auditRecords.complete(event);
    if (this.#dropped.has(event.stream)) {
      this.#index += 1;
      this.count('received');
      this.count('dropped-by-rule');
      return;
    }
    const marks: IngestMark[] = [];
    this.#enrich(event, this.#context.receivedMs);
    if (record.isDamaged) marks.push('invalid-utf8');
    let raw = record.raw;
    if (raw.length > MAX_RECORD_CHARS) {
      raw = raw.slice(0, MAX_RECORD_CHARS);
      marks.push('truncated');
      event.ext.IngestedOfChars = record.raw.length;
    }
    const isStored = this.#stored.has(this.#index);
    const input = { event, raw, index: this.#index, marks, sourceName };
    const written = writeRow(isStored ? null : block, this.#context, input);
    this.#index += 1;
    if (!isStored) this.#chars += 2 * raw.length;
    this.count('received');
    this.count('stored');
    this.rawBytes += Buffer.byteLength(raw);
    if (written.status === 'PER') this.count('parse_error');
    if (written.status === 'NLF') this.count('no_extractor');
    for (const mark of written.marks) this.count(mark);
    if (block.rows >= CHUNK_ROWS || this.#chars >= CHUNK_CHARS) this.flush();
  }

  /** Adds an event that was read again; it keeps its identity and its place. Answers its stream. */
  addStored({ event, raw, sourceName, identity, place }: StoredRecord): void {
    const context = { ...this.#context, ...place };
    const index = this.#index;
    this.#index += 1;
    this.#enrich(event, context.receivedMs);
    writeRow(block, context, { event, raw, index, marks: [], sourceName, stored: identity });
    this.#chars += 2 * raw.length;
    if (block.rows >= CHUNK_ROWS || this.#chars >= CHUNK_CHARS) this.flush();
  }

  /** A fault of ours here costs the event what would have been added, and nothing else. */
  #enrich(event: DecodedEvent, receivedMs: number): void {
    try {
      this.#enricher?.enrich(event, receivedMs);
    } catch {
      this.count('enrichment-failed');
    }
  }

  /** Hands on what is left. */
  flush(): void {
    if (block.rows === 0) return;
    const { rows } = block;
    this.#emit({ body: block.take(this.#memory), rows, upTo: this.#index });
    this.#chars = 0;
  }
}
