-- A partition for each day on which events came in, no longer for each day on which they happened: an insert makes one
-- part however far its events lie apart, and detections, retention and accounts read by the time of arrival. A search
-- by event time also says the earliest arrival that is possible, so that it still reads few partitions.
-- The rows are copied, as a table cannot change its partitions. Every statement may be repeated after a kill: until the
-- exchange the copy is begun anew, and after it the same is done once more with the rows where they belong.
DROP TABLE IF EXISTS events_by_ingest_day SETTINGS max_table_size_to_drop = 0;
CREATE TABLE IF NOT EXISTS events_by_ingest_day AS events
ENGINE = MergeTree
PARTITION BY toDate(IngestedTime)
ORDER BY (Scope, Stream, TimeGenerated)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  non_replicated_deduplication_window = 1000,
  min_bytes_for_wide_part = 134217728;
INSERT INTO events_by_ingest_day SELECT * FROM events
SETTINGS
  insert_deduplicate = 0,
  max_threads = 1,
  max_block_size = 8192,
  min_insert_block_size_rows = 50000,
  min_insert_block_size_bytes = 134217728;
EXCHANGE TABLES events AND events_by_ingest_day;
DROP TABLE events_by_ingest_day SETTINGS max_table_size_to_drop = 0;
ALTER TABLE events ADD INDEX IF NOT EXISTS mm_TimeGenerated TimeGenerated TYPE minmax GRANULARITY 1 FIRST;
