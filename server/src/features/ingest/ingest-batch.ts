import type { EnrichmentHits, IngestMark } from '@tyrian/ingest';
import type { EnrichmentImages } from '../enrichment/thread-enrichers.ts';
import type { SentExtractors } from './extractor-versions.ts';

// What travels between a request, the decoding threads and the store.

/** How the records lie in the body. */
export type BatchFormat =
  | 'lines'
  | 'hec-events'
  | 'hec-raw'
  | 'bulk'
  | 'document'
  | 'messages'
  | 'stored'
  | 'otlp-proto'
  | 'otlp-json'
  | 'loki-json'
  | 'loki-proto'
  | 'gelf'
  | 'forward';

/** Who an event comes from and where it goes. */
export interface IngestTarget {
  readonly clusterId: string;
  readonly scopeId: string;
  /** The source whose counters count; null for what the platform itself writes. */
  readonly sourceId: string | null;
  readonly sourceName: string;
  readonly sourceAddress: string;
}

export interface BatchHints {
  /** HEC raw: metadata of the request, used where the records say nothing. */
  readonly host?: string;
  readonly sourcetype?: string;
  /** `_bulk` and documents: the index of the path. */
  readonly index?: string;
}

/** Why a record of a batch was not stored, or not as its sender meant. */
export type RefusalReason =
  | 'malformed-body'
  | 'malformed-record'
  | 'malformed-action'
  | 'unsupported-action'
  | 'event-missing'
  | 'event-blank';

export type CountName =
  | 'dropped-by-rule'
  | 'received'
  | 'stored'
  | 'parse_error'
  | 'no_extractor'
  | 'enrichment-failed'
  | IngestMark
  | RefusalReason;
export type Counts = Partial<Record<CountName | string, number>>;

/** One item of a `_bulk` answer, in the order of the body. */
export interface BulkAnswer {
  readonly action: string;
  readonly index: string;
  readonly id: string | null;
  readonly refusal: string | null;
}

/** What a batch came to. Plain JSON: it is kept for batches that their sender may repeat. */
export interface BatchReport {
  readonly counts: Counts;
  /** HEC: the position of the first envelope that is wrong, and why. */
  readonly firstRefusal?: { readonly index: number; readonly reason: RefusalReason };
  readonly items?: readonly BulkAnswer[];
  /** Bytes of the records that were handed on to the store. */
  readonly rawBytes?: number;
  /** What tables of enrichment knew. */
  readonly hits?: EnrichmentHits;
  /** Of stored events that were read again. */
  readonly reread?: RereadReport;
}

/** Events by the start of their minute of arrival and by stream. */
export type MinuteCounts = Readonly<Record<number, Readonly<Record<string, number>>>>;

export interface RereadReport {
  readonly read: number;
  /** Written anew. */
  readonly changed: number;
  /** Those that are still not understood. */
  readonly unparsed: number;
  /** Of those written: under their new stream, and where they stood before. */
  readonly added: MinuteCounts;
  readonly gone: MinuteCounts;
}

/** Rows ready for the store, of one batch. */
export interface RowChunk {
  /** Blocks of the store's Native format, which may follow each other in one insert. */
  readonly body: Uint8Array;
  readonly rows: number;
  /** Records of the batch that have been read up to the end of this chunk. */
  readonly upTo: number;
  /** To be called when nobody reads or sends from the body any more; absent where its memory is not used again. */
  readonly giveBack?: () => void;
}

/** The body itself cannot be read; nothing of it was stored. */
export interface BodyFault {
  readonly fault: 'not-gzip' | 'too-large' | 'malformed' | 'undecodable';
  readonly message: string;
}

export interface DecodeJob {
  readonly id: number;
  readonly format: BatchFormat;
  readonly body: Uint8Array;
  readonly isGzip: boolean;
  /** Lengths of the messages in the body, for `messages`, `gelf` and `forward`. */
  readonly lengths?: readonly number[];
  readonly hints: BatchHints;
  readonly scopeId: string;
  readonly sourceName: string;
  readonly sourceAddress: string;
  readonly batchId: string;
  readonly receivedMs: number;
  /** Days for which events of the scope are kept, by stream; under the empty name those of all other streams. */
  readonly retentionDays?: Readonly<Record<string, number>>;
  /** Number of the reading, for the format `stored`. */
  readonly reading?: number;
  /** The extractors of the tenant, before the decoders that are built in. */
  readonly extractors?: SentExtractors;
  /** Of a batch that comes again: positions of the records that are in the store. */
  readonly stored?: ReadonlySet<number>;
  /** Streams whose events are counted and not stored. */
  readonly dropped?: readonly string[];
  /** Keep each record as text and read nothing of it: reading this batch has failed. */
  readonly isTextOnly?: boolean;
  /** What its events are enriched with. */
  readonly enrichment?: EnrichmentImages;
}

/** What a decoding thread is sent: a body, or the memory of rows that are stored. */
export type DecodeOrder = DecodeJob | { readonly scopeId: string; readonly givenBack: SharedArrayBuffer };

export type DecodeAnswer =
  /** The thread can take bodies; `task` is its folder below /proc, '' without one. */
  | { readonly kind: 'ready'; readonly task: string }
  | { readonly id: number; readonly kind: 'rows'; readonly chunk: RowChunk }
  | (DecodeEnd & { readonly kind: 'done'; readonly report: BatchReport })
  | (DecodeEnd & { readonly kind: 'fault'; readonly fault: BodyFault })
  /** The thread is fine; this job could not be done. */
  | (DecodeEnd & { readonly kind: 'failed'; readonly reason: string });

interface DecodeEnd {
  readonly id: number;
  /** How long the thread was at it. */
  readonly ms: number;
}
