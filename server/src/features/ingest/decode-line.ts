import {
  compileExtractors,
  type DecodedEvent,
  type DecodeOptions,
  decodeText,
  type ExtractorSet,
  MAX_RECORD_CHARS,
  unreadEvent,
} from '@tyrian/ingest';
import { RecentVersions } from './extractor-versions.ts';
import type { BodyFault, DecodeJob } from './ingest-batch.ts';

// What the readers of all formats share: one record that stands as text, and a body that cannot be read at all.

/** A compressed body may grow to this; a bomb ends here. */
export const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;

/** Said of each record of a batch whose decoding ended a thread. */
const TEXT_ONLY_REASON = 'the records of this batch could not be decoded and are kept as text';

/** Bodies that cannot be read at all. */
export class BodyFaultError extends Error {
  readonly fault: BodyFault;

  constructor(fault: BodyFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Sets of extractors that this thread has compiled. */
const extractorSets = new RecentVersions<ExtractorSet>();

/** A job with what its records share. */
export interface OpenJob extends DecodeJob {
  readonly options: DecodeOptions;
}

/** Finds what the records of a job share. */
export function openJob(job: DecodeJob): OpenJob {
  const { extractors } = job;
  if (extractors === undefined || job.isTextOnly) return { ...job, options: {} };
  const make = () => {
    if (extractors.extractors === undefined)
      throw new Error('the extractors of the batch did not come with it');
    return compileExtractors(extractors.extractors);
  };
  return { ...job, options: { extractors: extractorSets.use(extractors.version, make), heads: new Map() } };
}

/** Decodes a record that stands as text; one that is too long to read is kept as its head. */
export function decodeLine(line: string, job: OpenJob): DecodedEvent {
  if (job.isTextOnly) return unreadEvent('text', 'decoder-failed', TEXT_ONLY_REASON);
  if (line.length <= MAX_RECORD_CHARS) return decodeText(line, job.receivedMs, job.options);
  const reason = `longer than ${MAX_RECORD_CHARS} characters (${line.length}): only the beginning is kept`;
  return { ...unreadEvent('text', 'truncated', reason), marks: [] };
}
