import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform/platform.ts';
import type { StreamNames } from '../../platform/stream-names.ts';
import { analysePlan } from '../detections/analyse-plan.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { SampleGate } from '../samples/sample-gate.ts';
import type { QueryService } from '../search/query-service.ts';
import { type CopyUpdates, createCopyUpdates } from './copy-updates.ts';
import { createDirectoriesService } from './directories-service.ts';
import { type NativeDetection, nativeDetections } from './native-content.ts';
import { syncNativeDetections } from './native-sync.ts';
import { createPickListService } from './pick-list-service.ts';
import { createShippedUpdates, type ShippedUpdates } from './shipped-updates.ts';
import { createStreamFlowService } from './stream-flow-service.ts';
import type { WorkbooksDeps } from './workbook-saving.ts';
import { directoryRoutes, workbookRoutes, workbookVersionRoutes } from './workbooks-routes.ts';
import { createWorkbooksService, type WorkbooksService } from './workbooks-service.ts';

export interface WorkbooksFeature {
  register(app: FastifyInstance): void;
  readonly service: WorkbooksService;
  /** What is newer than what the tenant has, by kind. */
  readonly updates: { readonly workbook: ShippedUpdates; readonly copy: CopyUpdates };
  /** Brings the shipped detections into a tenant and its scopes. */
  syncNative(clusterId: string, scopeIds: readonly string[]): Promise<void>;
}

const NOTHING_REPLACED: ReadonlySet<string> = new Set();

interface WorkbooksFeatureDeps {
  readonly platform: Platform;
  readonly queries: QueryService;
  readonly streamNames: StreamNames;
  readonly rules: RuleControl;
  readonly signalCounts: WorkbooksDeps['signalCounts'];
  readonly audit: AuditService;
  readonly samples: SampleGate;
  /** All that come with Tyrian when absent. */
  readonly shippedDetections: readonly NativeDetection[] | undefined;
}

/** Workbooks, their folders, and the detections that come with Tyrian. */
export function workbooksFeature(deps: WorkbooksFeatureDeps): WorkbooksFeature {
  const { postgres, eventStore: events, clock, log } = deps.platform;
  const { queries, rules, audit, signalCounts, samples } = deps;
  const service = createWorkbooksService({ postgres, queries, rules, signalCounts, samples, audit, clock });
  const directories = createDirectoriesService({ postgres, audit, clock });

  const streamsOf = async (clusterId: string, kql: string): Promise<string[]> => {
    const result = await queries.compile({ clusterId, scopes: [], kql });
    if (!result.ok) {
      // The rule will fail and say why in its health; that must not keep the others away.
      log.warn({ kql, problems: result.diagnostics }, 'a shipped detection does not compile');
      return [];
    }
    return analysePlan(result.plan).streams.map((stream) => (stream === '*' ? 'Events' : stream));
  };

  const shipped = {
    ...{ postgres, rules, audit, clock, streamsOf },
    // Read from disk when somebody asks.
    get content() {
      return deps.shippedDetections ?? nativeDetections();
    },
  };
  const shippedUpdates = createShippedUpdates(shipped);
  return {
    service,
    updates: { workbook: shippedUpdates, copy: createCopyUpdates({ postgres, rules, audit, clock }) },
    syncNative: async (clusterId, scopeIds) => {
      const policy = await shippedUpdates.policy(clusterId);
      const replaced = policy === 'at-once' ? 'all' : NOTHING_REPLACED;
      const result = await syncNativeDetections(shipped, clusterId, scopeIds, replaced);
      if (result.added + result.updated + result.removed > 0) {
        log.info({ clusterId, ...result }, 'shipped detections brought up to date');
      }
    },
    register: (app) => {
      workbookRoutes(
        app,
        service,
        createPickListService(postgres, deps.streamNames),
        createStreamFlowService({ events, clock }),
      );
      workbookVersionRoutes(app, service);
      directoryRoutes(app, directories);
    },
  };
}
