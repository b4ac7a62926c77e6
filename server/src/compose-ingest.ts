import { addedNames, uploadedRecords } from './compose-catalog.ts';
import { connectorsFeature } from './features/connectors/connectors-feature.ts';
import { shiftCounts } from './features/detections/shift-counts.ts';
import { enrichmentFeature } from './features/enrichment/enrichment-feature.ts';
import { extractionFeature, extractorLibrary } from './features/extraction/extraction-feature.ts';
import type { AuditService } from './features/identity/audit/audit-service.ts';
import { type IngestFeatureDeps, ingestFeature } from './features/ingest/ingest-feature.ts';
import type { QueryService } from './features/search/query-service.ts';
import { createDroppedStreams } from './features/streams/drop-rules.ts';
import type { Platform } from './platform/platform.ts';

// Wires how events come in, what reads them and what is added to them: a part of compose.ts.

interface IngestDeps extends Pick<IngestFeatureDeps, 'retentionDays'> {
  readonly platform: Platform;
  readonly queries: QueryService;
  readonly audit: AuditService;
  readonly plans: Parameters<typeof enrichmentFeature>[0]['plans'];
}

/** Ingest with the extractors, enrichment and connectors of tenants. */
export function composeIngest({ platform, queries, audit, plans, ...rest }: IngestDeps) {
  const eventstoreRows = uploadedRecords(platform);
  const enrichment = enrichmentFeature({ platform, queries, audit, plans, eventstoreRows });
  const library = extractorLibrary(platform, addedNames(platform));
  const droppedStreams = createDroppedStreams(platform);
  const ingest = ingestFeature(platform, { audit, enrichment, droppedStreams, ...rest, ...library });
  const { of: enrichmentOf } = enrichment.ingest;
  const extraction = extractionFeature({ platform, library, queries, audit, shiftCounts, enrichmentOf });
  const connectors = connectorsFeature({ ...{ platform, audit }, ...ingest });
  return { enrichment, ingest, extraction, connectors };
}
