export { decodeRecord, decodeText } from './decode-event.ts';
export { cloudTrailRecords } from './decoders/cloudtrail.ts';
export type { DecodedEvent, Fields, ParseStatus } from './event-row.ts';
export { type BulkItem, readBulkItems } from './framing/bulk-actions.ts';
export { type JsonScan, type JsonSlice, scanJsonObjects } from './framing/json-values.ts';
export { MAX_RECORD_CHARS, splitLines } from './framing/split-lines.ts';
export { type SyslogMessageBytes, SyslogStream } from './framing/syslog-stream.ts';
export { parseEventTime } from './normalise/event-time.ts';
export { parseJsonRecord } from './normalise/parse-json-record.ts';
export {
  eventUid,
  FUTURE_TOLERANCE_MS,
  type IngestMark,
  type RowContext,
  type WrittenRow,
  writeRow,
} from './write-row.ts';
