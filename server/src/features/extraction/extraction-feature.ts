import {
  beginReparse,
  cancelReparse,
  checkExtractor,
  cloneExtractor,
  discardExtractorDraft,
  estimateReparse,
  listExtractors,
  listExtractorVersions,
  listReparses,
  listUnparsedSources,
  publishExtractor,
  readExtractorRecord,
  readUnparsedEvents,
  removeExtractor,
  removeSimulationFile,
  restoreExtractorVersion,
  resumeReparse,
  saveExtractor,
  switchExtractor,
  testExtractor,
  viewExtractorVersion,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { createDecodePool } from '../ingest/decode-pool.ts';
import type { QueryService } from '../search/query-service.ts';
import { createExtractorLibrary, type ExtractorLibrary } from './extractor-library.ts';
import { createExtractorsService, type ExtractorsService } from './extractors-service.ts';
import { createReparseService, type ReparseService } from './reparse-service.ts';
import type { ShiftCounts, UnitDeps } from './reparse-unit.ts';
import { reparseUpkeep } from './reparse-upkeep.ts';
import { reparseJob } from './run-reparse.ts';
import { simulateExtractor } from './simulate-extractor.ts';
import { type UnparsedDeps, unparsedEvents, unparsedSources } from './unparsed-events.ts';

export interface ExtractionFeature extends RoutedFeature {
  readonly extractors: ExtractorsService;
  readonly jobs: readonly AnyJob[];
}

/** The extractors of tenants, for whoever reads what comes in. */
export function extractorLibrary(
  { postgres, clock, log }: Platform,
  addedNames: ExtractorLibrary['addedNames'] = async () => ({}),
): ExtractorLibrary {
  return createExtractorLibrary({ postgres, clock, log, addedNames });
}

/** Extractors of a tenant, what they make of lines, and reading stored events again. */
export function extractionFeature(deps: {
  readonly platform: Platform;
  readonly library: ExtractorLibrary;
  readonly queries: QueryService;
  readonly audit: AuditService;
  readonly shiftCounts: ShiftCounts;
  /** What events are enriched with; without it nothing is added to those that are read again. */
  readonly enrichmentOf?: UnitDeps['enrichmentOf'];
}): ExtractionFeature {
  const { postgres, clock, log, eventStore } = deps.platform;
  const { library, audit, queries, shiftCounts, enrichmentOf } = deps;
  // Apart from the threads that read what comes in; it starts when it is first needed.
  const pool = createDecodePool({ log, size: 1 });
  const extractors = createExtractorsService({ postgres, clock, audit, library });
  const reparses = createReparseService({ postgres, clock, audit, eventStore });
  return {
    extractors,
    jobs: [
      reparseJob({ postgres, clock, log, eventStore, pool, library, audit, shiftCounts, enrichmentOf }),
      reparseUpkeep({ postgres, clock }),
    ],
    register: (app) => {
      extractorRoutes(app, extractors, { queries, eventStore, clock, audit, library });
      reparseRoutes(app, reparses);
    },
  };
}

const scopeOf = (call: {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly input: { readonly scope_id: string };
}) => ({ caller: call.caller, clusterId: call.clusterId, scopeId: call.input.scope_id });

function extractorRoutes(
  app: FastifyInstance,
  extractors: ExtractorsService,
  unparsed: UnparsedDeps & { readonly library: ExtractorLibrary },
): void {
  bindEndpoint(app, listExtractors, (call) => extractors.list(scopeOf(call), call.input));
  bindEndpoint(app, readExtractorRecord, (call) => extractors.read(scopeOf(call), call.input.extractor_id));
  bindEndpoint(app, checkExtractor, (call) => extractors.check(scopeOf(call), call.input));
  bindEndpoint(app, testExtractor, (call) => simulateExtractor(unparsed, scopeOf(call), call.input));
  bindEndpoint(app, saveExtractor, (call) => extractors.save(scopeOf(call), call.input));
  bindEndpoint(app, publishExtractor, (call) => extractors.publish(scopeOf(call), call.input));
  bindEndpoint(app, discardExtractorDraft, (call) => extractors.discard(scopeOf(call), call.input));
  bindEndpoint(app, switchExtractor, (call) => extractors.setEnabled(scopeOf(call), call.input));
  bindEndpoint(app, cloneExtractor, (call) => extractors.clone(scopeOf(call), call.input.extractor_id));
  bindEndpoint(app, removeExtractor, (call) => extractors.remove(scopeOf(call), call.input.extractor_id));
  bindEndpoint(app, listExtractorVersions, (call) =>
    extractors.versions(scopeOf(call), call.input.extractor_id),
  );
  bindEndpoint(app, viewExtractorVersion, (call) => extractors.viewVersion(scopeOf(call), call.input));
  bindEndpoint(app, restoreExtractorVersion, (call) => extractors.restore(scopeOf(call), call.input));
  bindEndpoint(app, removeSimulationFile, (call) =>
    extractors.clearSamples(scopeOf(call), call.input.extractor_id),
  );
  bindEndpoint(app, listUnparsedSources, (call) => unparsedSources(unparsed, scopeOf(call)));
  bindEndpoint(app, readUnparsedEvents, (call) => unparsedEvents(unparsed, scopeOf(call), call.input));
}

function reparseRoutes(app: FastifyInstance, reparses: ReparseService): void {
  bindEndpoint(app, estimateReparse, (call) => reparses.estimate(scopeOf(call), call.input));
  bindEndpoint(app, beginReparse, (call) => reparses.begin(scopeOf(call), call.input));
  bindEndpoint(app, listReparses, (call) => reparses.list(scopeOf(call), call.input));
  bindEndpoint(app, cancelReparse, (call) => reparses.cancel(scopeOf(call), call.input.reparse_id));
  bindEndpoint(app, resumeReparse, (call) => reparses.resume(scopeOf(call), call.input.reparse_id));
}
