-- Rows of tables that were uploaded. One table for all of a tenant: it is filtered by scope like events, needs no definitions
-- while the product runs, and is on every shard. A cell is the text that was uploaded; the type of its column is applied by
-- the query, so that a type can be changed without a loss. Which uploads count stands in PostgreSQL: rows of an upload that
-- failed or was replaced are never read, and removed by a job.
CREATE TABLE IF NOT EXISTS eventstore_rows (
  Scope LowCardinality(String),
  Store String,
  Upload String,
  RowNumber UInt32,
  Cells Array(String) CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY Store
ORDER BY (Scope, Store, Upload, RowNumber)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  non_replicated_deduplication_window = 1000;
