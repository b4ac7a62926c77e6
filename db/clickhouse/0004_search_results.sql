-- Rows that searches found, kept for as long as their tasks may be read: event data stay where the events are. A row of
-- this table is a piece of the JSON of some hundred result rows; pieces keep each line of an answer small. What is over
-- the engine drops by itself, part by part, whether or not anybody searches again; nothing is synced, since a search
-- that is lost is run again.
CREATE TABLE IF NOT EXISTS search_results (
  Scope LowCardinality(String),
  TaskId String,
  FirstRow UInt32,
  RowCount UInt32,
  Piece UInt32,
  TextBytes UInt32,
  Body String CODEC(ZSTD(1)),
  Expires DateTime('UTC') DEFAULT now('UTC') + INTERVAL 1 HOUR
)
ENGINE = MergeTree
PARTITION BY toStartOfInterval(Expires, INTERVAL 5 MINUTE)
ORDER BY (TaskId, FirstRow, Piece)
TTL Expires
SETTINGS
  ttl_only_drop_parts = 1,
  merge_with_ttl_timeout = 60,
  index_granularity = 256;
