import type { StreamName } from '@tyrian/catalog';
import type { RecordFault } from './record-limits.ts';

// An event on its way into the table: columns of the catalog by name, and what no column holds in `Ext`.
// A column that is absent stays empty in the store.

export type Fields = Record<string, unknown>;

/** PAD: parsed. PER: it looked like a known format but could not be read. NLF: no extractor knows it. */
export type ParseStatus = 'PAD' | 'PER' | 'NLF';

/** What is remarkable about a record beside its content; stored in `Ext.IngestMarks` and counted on the source. */
export type IngestMark =
  | 'no-time'
  | 'future-time'
  | 'invalid-utf8'
  | 'truncated'
  | 'decoder-failed'
  | RecordFault;

/** What a decoder makes of one record. Column names are those of the catalog; values text or numbers. */
export interface DecodedEvent {
  stream: StreamName;
  /** The decoder that understood it, e.g. `windows-event`. */
  sourceType: string;
  status: ParseStatus;
  /** The extractor that read it; absent where none of a tenant's did. */
  extractorId?: number;
  /** The name of its entry that did; not stored. */
  extractorEntry?: string;
  parseError?: string;
  /** What the decoder found odd about the record. */
  marks?: readonly IngestMark[];
  /** Milliseconds since 1970 by the clock of the source; absent when the record names no time. */
  time?: number;
  columns: Record<string, string | number>;
  ext: Fields;
}

/** An event that no mapping has touched yet. */
export function newEvent(sourceType: string, stream: StreamName): DecodedEvent {
  return { stream, sourceType, status: 'PAD', columns: {}, ext: {} };
}
