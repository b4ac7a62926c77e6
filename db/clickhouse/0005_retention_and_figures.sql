-- @steps
-- Every statement is noted when it is done, and each partition of a loop by itself, so that a migration that was ended
-- midway goes on behind the last of them. Only that one may run twice; every one of them may be repeated.
--
-- The class of an event is the number of days for which its stream was kept when it came in; 0 where nobody has said.
-- It is a part of the partition, so that keeping a retention is dropping partitions.
ALTER TABLE events ADD COLUMN IF NOT EXISTS RetentionDays UInt32 DEFAULT 0;
CREATE TABLE IF NOT EXISTS events_by_retention AS events
ENGINE = MergeTree
PARTITION BY (toDate(IngestedTime), RetentionDays)
ORDER BY (Scope, Stream, TimeGenerated)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  non_replicated_deduplication_window = 1000,
  min_bytes_for_wide_part = 134217728;
-- @each partition of events
ALTER TABLE events_by_retention DROP PARTITION ID '{partition}-0' SETTINGS max_partition_size_to_drop = 0;
INSERT INTO events_by_retention SELECT * FROM events WHERE _partition_id = '{partition}'
SETTINGS
  insert_deduplicate = 0,
  max_threads = 1,
  max_block_size = 8192,
  min_insert_block_size_rows = 50000,
  min_insert_block_size_bytes = 134217728;
-- @end
RENAME TABLE IF EXISTS events TO events_before_retention;
RENAME TABLE IF EXISTS events_by_retention TO events;
DROP TABLE IF EXISTS events_before_retention SETTINGS max_table_size_to_drop = 0;
-- What pages count of events, filled by the insert itself, so that no figure reads an event. The tables are not synced:
-- what a power cut takes from them is counted again from the events (event-figures.ts). EventMinute is minutes since 1970, as events may be
-- older than that. StoredBytes is what the text and the fields take before they are packed.
CREATE TABLE IF NOT EXISTS event_figures (
  IngestedMinute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  EventMinute Int32 CODEC(Delta, ZSTD(1)),
  Scope LowCardinality(String),
  Stream LowCardinality(String),
  SourceName LowCardinality(String),
  SourceType LowCardinality(String),
  ParseStatus LowCardinality(String),
  Detection LowCardinality(String),
  Score Int32,
  RetentionDays UInt32,
  Events SimpleAggregateFunction(sum, Int64),
  RawBytes SimpleAggregateFunction(sum, Int64),
  StoredBytes SimpleAggregateFunction(sum, Int64),
  FirstEvent SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  LastEvent SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
  LastIngested SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
  INDEX mm_EventMinute EventMinute TYPE minmax GRANULARITY 1
)
ENGINE = AggregatingMergeTree
PARTITION BY (toDate(IngestedMinute), RetentionDays)
ORDER BY (Scope, Stream, SourceName, SourceType, ParseStatus, Detection, Score, IngestedMinute, EventMinute)
SETTINGS non_replicated_deduplication_window = 1000;
CREATE TABLE IF NOT EXISTS host_figures (
  IngestedDay Date,
  EventHour Int32 CODEC(Delta, ZSTD(1)),
  Scope LowCardinality(String),
  Stream LowCardinality(String),
  DvcHostname LowCardinality(String),
  RetentionDays UInt32,
  Events SimpleAggregateFunction(sum, Int64)
)
ENGINE = AggregatingMergeTree
PARTITION BY (IngestedDay, RetentionDays)
ORDER BY (Scope, Stream, EventHour, DvcHostname)
SETTINGS non_replicated_deduplication_window = 1000;
-- @each partition of events
ALTER TABLE event_figures DROP PARTITION ID '{partition}' SETTINGS max_partition_size_to_drop = 0;
INSERT INTO event_figures
SELECT toStartOfMinute(IngestedTime) AS IngestedMinute,
  toInt32(floor(toUnixTimestamp64Milli(TimeGenerated) / 60000)) AS EventMinute,
  Scope, Stream, SourceName, SourceType, ParseStatus,
  if(Stream = 'Signals', ifNull(Ext.WorkbookName.:String, ''), '') AS Detection,
  ifNull(DetectionScore, 0) AS Score,
  RetentionDays,
  toInt64(count()) AS Events,
  toInt64(sum(length(Raw))) AS RawBytes,
  toInt64(sum(byteSize(Raw) + byteSize(Ext))) AS StoredBytes,
  min(TimeGenerated) AS FirstEvent,
  max(TimeGenerated) AS LastEvent,
  max(IngestedTime) AS LastIngested
FROM events WHERE _partition_id = '{partition}'
GROUP BY IngestedMinute, EventMinute, Scope, Stream, SourceName, SourceType, ParseStatus, Detection, Score, RetentionDays
SETTINGS insert_deduplicate = 0;
ALTER TABLE host_figures DROP PARTITION ID '{partition}' SETTINGS max_partition_size_to_drop = 0;
INSERT INTO host_figures
SELECT toDate(IngestedTime) AS IngestedDay,
  toInt32(floor(toUnixTimestamp64Milli(TimeGenerated) / 3600000)) AS EventHour,
  Scope, Stream, DvcHostname, RetentionDays, toInt64(count()) AS Events
FROM events WHERE _partition_id = '{partition}' AND DvcHostname != ''
GROUP BY IngestedDay, EventHour, Scope, Stream, DvcHostname, RetentionDays
SETTINGS insert_deduplicate = 0;
-- @end
CREATE MATERIALIZED VIEW IF NOT EXISTS fill_event_figures TO event_figures AS
SELECT toStartOfMinute(IngestedTime) AS IngestedMinute,
  toInt32(floor(toUnixTimestamp64Milli(TimeGenerated) / 60000)) AS EventMinute,
  Scope, Stream, SourceName, SourceType, ParseStatus,
  if(Stream = 'Signals', ifNull(Ext.WorkbookName.:String, ''), '') AS Detection,
  ifNull(DetectionScore, 0) AS Score,
  RetentionDays,
  toInt64(count()) AS Events,
  toInt64(sum(length(Raw))) AS RawBytes,
  toInt64(sum(byteSize(Raw) + byteSize(Ext))) AS StoredBytes,
  min(TimeGenerated) AS FirstEvent,
  max(TimeGenerated) AS LastEvent,
  max(IngestedTime) AS LastIngested
FROM events
GROUP BY IngestedMinute, EventMinute, Scope, Stream, SourceName, SourceType, ParseStatus, Detection, Score, RetentionDays;
CREATE MATERIALIZED VIEW IF NOT EXISTS fill_host_figures TO host_figures AS
SELECT toDate(IngestedTime) AS IngestedDay,
  toInt32(floor(toUnixTimestamp64Milli(TimeGenerated) / 3600000)) AS EventHour,
  Scope, Stream, DvcHostname, RetentionDays, toInt64(count()) AS Events
FROM events WHERE DvcHostname != ''
GROUP BY IngestedDay, EventHour, Scope, Stream, DvcHostname, RetentionDays;
