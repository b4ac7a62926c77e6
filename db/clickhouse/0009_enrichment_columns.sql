-- What ingest adds to an event from the databases of addresses and from the lists of its scope (docs/enrichment.md). Events
-- from before have empty values; nothing is rewritten.
ALTER TABLE events
  ADD COLUMN IF NOT EXISTS SrcIpType LowCardinality(String) AFTER DetectionConfidence,
  ADD COLUMN IF NOT EXISTS SrcGeoCountry LowCardinality(String) AFTER SrcIpType,
  ADD COLUMN IF NOT EXISTS SrcAsn Nullable(Int64) AFTER SrcGeoCountry,
  ADD COLUMN IF NOT EXISTS SrcAsOrganization LowCardinality(String) AFTER SrcAsn,
  ADD COLUMN IF NOT EXISTS SrcSite LowCardinality(String) AFTER SrcAsOrganization,
  ADD COLUMN IF NOT EXISTS DstIpType LowCardinality(String) AFTER SrcSite,
  ADD COLUMN IF NOT EXISTS DstGeoCountry LowCardinality(String) AFTER DstIpType,
  ADD COLUMN IF NOT EXISTS DstAsn Nullable(Int64) AFTER DstGeoCountry,
  ADD COLUMN IF NOT EXISTS DstAsOrganization LowCardinality(String) AFTER DstAsn,
  ADD COLUMN IF NOT EXISTS DstSite LowCardinality(String) AFTER DstAsOrganization,
  ADD COLUMN IF NOT EXISTS ThreatIndicator String AFTER DstSite,
  ADD COLUMN IF NOT EXISTS ThreatField LowCardinality(String) AFTER ThreatIndicator,
  ADD COLUMN IF NOT EXISTS ThreatList LowCardinality(String) AFTER ThreatField,
  ADD COLUMN IF NOT EXISTS ThreatCategory LowCardinality(String) AFTER ThreatList,
  ADD COLUMN IF NOT EXISTS ThreatConfidence Nullable(Int32) AFTER ThreatCategory,
  ADD COLUMN IF NOT EXISTS EnrichedBy LowCardinality(String) AFTER ThreatConfidence,
  ADD INDEX IF NOT EXISTS bf_ThreatIndicator ThreatIndicator TYPE bloom_filter(0.01) GRANULARITY 1;
-- Indicators that are looked for in stored events, as a table that one query for each day of them reads. What is over the
-- engine drops by itself.
CREATE TABLE IF NOT EXISTS indicator_sets (
  Scope LowCardinality(String),
  HuntId String,
  Kind UInt8,
  Key String,
  Expires DateTime('UTC') DEFAULT now('UTC') + INTERVAL 1 DAY
)
ENGINE = MergeTree
PARTITION BY toStartOfInterval(Expires, INTERVAL 6 HOUR)
ORDER BY (HuntId, Kind, Key)
TTL Expires
SETTINGS ttl_only_drop_parts = 1;
