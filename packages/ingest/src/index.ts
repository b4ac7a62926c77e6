export { type DecodeOptions, decodeRecord, decodeText, unreadEvent } from './decode-event.ts';
export { cloudTrailRecordTexts } from './decoders/cloudtrail.ts';
export { packEnrichmentSet, readEnrichmentSet, type SetTable } from './enrich/enrichment-set.ts';
export { type EnrichmentHits, EventEnricher, indicatorText } from './enrich/event-enricher.ts';
export { GeoDatabase } from './enrich/geo-database.ts';
export { KEY_KINDS, type KeyEntry, KeyTable, packKeyTable } from './enrich/key-table.ts';
export { packGeoDatabase } from './enrich/pack-geo-database.ts';
export { indicatorEntry, readIndicators } from './enrich/read-indicators.ts';
export {
  lookupEntries,
  networkEntries,
  prefixesOf,
  readLookupRows,
  readNetworks,
} from './enrich/read-lookups.ts';
export type { DecodedEvent, IngestMark } from './event-row.ts';
export { BUILT_IN_DECODERS } from './extract/engine/built-in-decoders.ts';
export {
  compileExtractors,
  type ExtractorSet,
  type ExtractorSource,
  type LogHeads,
} from './extract/engine/extractor-set.ts';
export { type SimulatedSample, simulate } from './extract/engine/simulate.ts';
export {
  type AddedNames,
  EXTRACTOR_FAULTS,
  type Extractor,
  type ExtractorFault,
  type ExtractorFaultCode,
} from './extract/language/extractor.ts';
export { readExtractor } from './extract/language/read-extractor.ts';
export { readBulkItems } from './framing/bulk-actions.ts';
export { GelfChunks, GelfStream } from './framing/gelf-frames.ts';
export { jsonElements, jsonTextAt, onOneLine } from './framing/json-slices.ts';
export { scanJsonObjects } from './framing/json-values.ts';
export { lastOfList, MsgpackStream, MsgpackStreamError } from './framing/msgpack-stream.ts';
export { asciiText, splitLines, splitUtf8Lines } from './framing/split-lines.ts';
export { type SyslogMessageBytes, SyslogStream } from './framing/syslog-stream.ts';
export { takeSyslogToken } from './framing/syslog-token.ts';
export { type ReadRow, readRowBlocks, rowAsJson } from './native/read-row-blocks.ts';
export { RowBlock } from './native/row-block.ts';
export { AuditRecordGroup } from './normalise/audit-record-group.ts';
export { parseEventTime } from './normalise/event-time.ts';
export { parseJsonRecord } from './normalise/parse-json-record.ts';
export { jsonFault, MAX_RECORD_CHARS, RECORD_FAULT_WORDS } from './record-limits.ts';
export { type RowContext, type StoredIdentity, uidWords, writeRow } from './write-row.ts';
