-- The number of the extractor that read an event, and columns for fields that detections ask for. Events from before keep
-- these fields below Ext, where detections go on finding them; reading stored events again moves them.
ALTER TABLE events
  ADD COLUMN IF NOT EXISTS ExtractorId Nullable(Int32) AFTER SourceAddress,
  ADD COLUMN IF NOT EXISTS EventSubType LowCardinality(String) AFTER EventType,
  ADD COLUMN IF NOT EXISTS ParentUsername LowCardinality(String) AFTER ParentCommandLine,
  ADD COLUMN IF NOT EXISTS TargetProcessGuid String CODEC(ZSTD(1)) AFTER TargetProcessId,
  ADD COLUMN IF NOT EXISTS CallTrace String CODEC(ZSTD(1)) AFTER GrantedAccess,
  ADD COLUMN IF NOT EXISTS FileCompany LowCardinality(String) AFTER PipeName,
  ADD COLUMN IF NOT EXISTS FileProduct LowCardinality(String) AFTER FileCompany,
  ADD COLUMN IF NOT EXISTS FileDescription LowCardinality(String) AFTER FileProduct,
  ADD COLUMN IF NOT EXISTS Signed LowCardinality(String) AFTER FileDescription,
  ADD COLUMN IF NOT EXISTS Signature LowCardinality(String) AFTER Signed,
  ADD COLUMN IF NOT EXISTS SignatureStatus LowCardinality(String) AFTER Signature,
  ADD COLUMN IF NOT EXISTS ObjectType LowCardinality(String) AFTER Object,
  ADD COLUMN IF NOT EXISTS ObjectServer LowCardinality(String) AFTER ObjectType,
  ADD COLUMN IF NOT EXISTS AccessMask LowCardinality(String) AFTER ObjectServer,
  ADD COLUMN IF NOT EXISTS ObjectProperties String CODEC(ZSTD(1)) AFTER AccessMask,
  ADD COLUMN IF NOT EXISTS PrivilegeList LowCardinality(String) AFTER ObjectProperties;
