import {
  cancelHunt,
  explainEnrichment,
  listEnrichment,
  listHunts,
  lookUpAddress,
  previewBucket,
  previewEnrichment,
  readEnrichment,
  readGeoDatabases,
  readHunt,
  rebuildBucket,
  removeEnrichment,
  saveBucket,
  saveEnrichment,
  startHunt,
  switchEnrichment,
} from '@tyrian/contract';
import type { BackgroundWork, RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { INPUT_LIMITS } from '../../platform/http/input-limits.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { QueryService } from '../search/query-service.ts';
import { createBucketService } from './bucket-service.ts';
import { type BuildDeps, buildJob } from './build-bucket.ts';
import { createEnrichmentService } from './enrichment-service.ts';
import { enrichmentUpkeep } from './enrichment-upkeep.ts';
import { createHuntService } from './hunt-service.ts';
import { createIngestEnrichment, type IngestEnrichment } from './ingest-enrichment.ts';
import { createLookService } from './look-service.ts';
import { bucketRebuilds } from './rebuild-buckets.ts';
import { huntJob } from './run-hunt.ts';

export interface EnrichmentFeature extends RoutedFeature {
  readonly jobs: readonly AnyJob[];
  /** For the ingest role. */
  readonly ingest: IngestEnrichment;
  /** Runs with the ingest role: reads the databases of addresses before the first event comes. */
  readonly work: BackgroundWork;
}

/** What is added to events as they come in, and the tables that it is taken from. */
export function enrichmentFeature(deps: {
  readonly platform: Platform;
  readonly queries: QueryService;
  readonly audit: AuditService;
  /** Buckets that the plan of a tenant allows. */
  readonly eventstoreRows?: BuildDeps['eventstoreRows'];
  readonly plans: { allowance(clusterId: string, limit: 'custom_enrichments'): number | undefined };
}): EnrichmentFeature {
  const { postgres, clock, log, eventStore: events } = deps.platform;
  const { queries, audit } = deps;
  const ingest = createIngestEnrichment({ postgres, clock, log });
  const service = createEnrichmentService({ postgres, clock, audit });
  const look = createLookService({ clock, audit, queries, ingest });
  const { eventstoreRows } = deps;
  const build = { postgres, clock, queries, ...(eventstoreRows ? { eventstoreRows } : {}) };
  const allowed = (clusterId: string) => deps.plans.allowance(clusterId, 'custom_enrichments');
  const buckets = createBucketService({ ...build, audit, allowed });
  const hunts = createHuntService({ postgres, clock, audit });
  const large = { bodyLimit: INPUT_LIMITS.workbookBodyBytes };
  return {
    ingest,
    work: { name: 'enrichment', start: async () => ingest.warm(), stop: () => ingest.flush() },
    jobs: [
      enrichmentUpkeep({ postgres, clock }),
      buildJob(build),
      bucketRebuilds(postgres),
      huntJob({ postgres, clock, events }),
    ],
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
      bindEndpoint(app, previewBucket, (call) => buckets.preview(scopeOf(call), call.input.yaml));
      bindEndpoint(app, saveBucket, (call) => buckets.save(scopeOf(call), call.input));
      bindEndpoint(app, rebuildBucket, (call) => buckets.rebuild(scopeOf(call), call.input.table_id));
      bindEndpoint(app, startHunt, (call) => hunts.begin(scopeOf(call), call.input));
      bindEndpoint(app, listHunts, (call) => hunts.list(scopeOf(call), call.input));
      bindEndpoint(app, readHunt, (call) => hunts.read(scopeOf(call), call.input));
      bindEndpoint(app, cancelHunt, (call) => hunts.cancel(scopeOf(call), call.input.hunt_id));
      bindEndpoint(app, explainEnrichment, (call) => look.explain(scopeOf(call), call.input));
    },
  };
}

const scopeOf = (call: {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly input: { readonly scope_id: string };
}) => ({ caller: call.caller, clusterId: call.clusterId, scopeId: call.input.scope_id });
