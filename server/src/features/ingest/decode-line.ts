import { type DecodedEvent, decodeText, MAX_RECORD_CHARS, unreadEvent } from '@tyrian/ingest';
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

/** Decodes a record that stands as text; one that is too long to read is kept as its head. */
export function decodeLine(line: string, job: DecodeJob): DecodedEvent {
  if (job.isTextOnly) return unreadEvent('text', 'decoder-failed', TEXT_ONLY_REASON);
  if (line.length <= MAX_RECORD_CHARS) return decodeText(line, job.receivedMs);
  const reason = `longer than ${MAX_RECORD_CHARS} characters (${line.length}): only the beginning is kept`;
  return { ...unreadEvent('text', 'truncated', reason), marks: [] };
}
