import { decodeText } from '../../decode-event.ts';
import type { Fields, ParseStatus } from '../../event-row.ts';
import { compileExtractors, type ExtractorSource } from './extractor-set.ts';
import type { LogHeads } from './read-fields.ts';

// What an extractor would make of records, without storing anything.

/** How far a sample came: not taken by the filters, taken and left to the fallback, or read by an entry. */
export type SimulatedReach = 'not-taken' | 'fallback' | 'read';

export interface SimulatedSample {
  readonly reach: SimulatedReach;
  readonly status: ParseStatus;
  readonly stream: string;
  readonly sourceType: string;
  /** The entry that read it, where it has a name. */
  readonly entry: string | null;
  readonly columns: Readonly<Record<string, string | number>>;
  readonly ext: Readonly<Fields>;
  /** Milliseconds since 1970; null when the record names no time that could be read. */
  readonly time: number | null;
  /** Why it could not be read, in English; null when it could. */
  readonly error: string | null;
}

const LONGEST_SAMPLE = 256 * 1024;

/**
 * Decodes samples with one extractor before the built-in decoders. `nowMs` is the time of arrival. Never throws; an
 * extractor whose text is broken takes no sample.
 */
export function simulate(
  extractor: ExtractorSource,
  samples: readonly string[],
  nowMs: number,
): readonly SimulatedSample[] {
  const extractors = compileExtractors([extractor]);
  const heads: LogHeads = new Map();
  return samples.map((sample) => {
    const event = decodeText(sample.slice(0, LONGEST_SAMPLE), nowMs, { extractors, heads });
    const isTaken = event.extractorId === extractor.id;
    return {
      reach: !isTaken ? 'not-taken' : event.status === 'NLF' ? 'fallback' : 'read',
      status: event.status,
      stream: event.stream,
      sourceType: event.sourceType,
      entry: event.extractorEntry ?? null,
      columns: event.columns,
      ext: event.ext,
      time: event.time ?? null,
      error: event.parseError ?? null,
    };
  });
}
