import {
  explainEnrichment,
  listEnrichment,
  lookUpAddress,
  previewEnrichment,
  readEnrichment,
  readGeoDatabases,
  removeEnrichment,
  saveEnrichment,
  switchEnrichment,
} from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { INPUT_LIMITS } from '../../platform/http/input-limits.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { QueryService } from '../search/query-service.ts';
import { createEnrichmentService } from './enrichment-service.ts';
import { enrichmentUpkeep } from './enrichment-upkeep.ts';
import { createIngestEnrichment, type IngestEnrichment } from './ingest-enrichment.ts';
import { createLookService } from './look-service.ts';

export interface EnrichmentFeature extends RoutedFeature {
  readonly jobs: readonly AnyJob[];
  /** For the ingest role. */
  readonly ingest: IngestEnrichment;
}

/** What is added to events as they come in, and the tables that it is taken from. */
export function enrichmentFeature(deps: {
  readonly platform: Platform;
  readonly queries: QueryService;
  readonly audit: AuditService;
}): EnrichmentFeature {
  const { postgres, clock, log } = deps.platform;
  const { queries, audit } = deps;
  const ingest = createIngestEnrichment({ postgres, clock, log });
  const service = createEnrichmentService({ postgres, clock, audit });
  const look = createLookService({ clock, audit, queries, ingest });
  const large = { bodyLimit: INPUT_LIMITS.workbookBodyBytes };
  return {
    ingest,
    jobs: [enrichmentUpkeep({ postgres, clock })],
    register: (app) => {
      bindEndpoint(app, listEnrichment, (call) => service.list(scopeOf(call)));
      bindEndpoint(app, readEnrichment, (call) => service.read(scopeOf(call), call.input.table_id));
      bindEndpoint(app, previewEnrichment, (call) => service.preview(scopeOf(call), call.input), large);
      bindEndpoint(app, saveEnrichment, (call) => service.save(scopeOf(call), call.input), large);
      bindEndpoint(app, switchEnrichment, (call) =>
        service.setEnabled(scopeOf(call), call.input.table_id, call.input.enabled),
      );
      bindEndpoint(app, removeEnrichment, (call) => service.remove(scopeOf(call), call.input.table_id));
      bindEndpoint(app, readGeoDatabases, () => look.databases());
      bindEndpoint(app, lookUpAddress, (call) => look.lookUp(scopeOf(call), call.input.address));
      bindEndpoint(app, explainEnrichment, (call) => look.explain(scopeOf(call), call.input));
    },
  };
}

const scopeOf = (call: {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly input: { readonly scope_id: string };
}) => ({ caller: call.caller, clusterId: call.clusterId, scopeId: call.input.scope_id });
