// Who may read events: what shows or looks for single events. A figure is read from event_figures and host_figures,
// which inserts fill, however many events there are. Queries of users are compiled and do not come by here.

/** The only places of the server that may, with the reason. */
export const EVENT_READERS = {
  'server/src/features/enrichment/hunt-piece.ts': 'looks for the events that hold an indicator of a list',
  'server/src/features/search/field-service.ts': 'a sample of 2,000 events tells how large columns are',
  'server/src/features/search/events-stored.ts':
    'only the indexes are read: how many events a query would read',
  'server/src/features/search/fields-in-range.ts':
    'a rule may only be passed over for a field when none of these very events has it',
  'server/src/features/search/seen-fields.ts': 'the newest events of a stream tell which fields there are',
  'server/src/features/sources/last-unparsed.ts': 'the last few events of a source that nobody could read',
  'server/src/features/ingest/stored-rows.ts': 'which events of an interrupted batch are stored, one by one',
  'server/src/features/extraction/reparse-unit.ts': 'stored events are read again, each from its text',
  'server/src/platform/clickhouse/replace-events.ts':
    'new readings are put beside the events with the same identity, which then go',
  'server/src/features/detections/stream-activity.ts':
    'a window is passed over only when the events themselves say it is empty',
};

// `system.events` counts what an engine did, no event of a tenant.
const READS = /\b(?:FROM|JOIN)\s+(?!system\.)(?:\S+\.)?events\b|'\^events\$'/;

/** Lines of a file of the server that read the table of events, unless the file may. */
export function eventReads(file, text) {
  if (/\.test\.ts$|\/testing\//.test(file) || Object.hasOwn(EVENT_READERS, file)) return [];
  return text.split('\n').flatMap((line, index) => (READS.test(line) ? [index + 1] : []));
}
