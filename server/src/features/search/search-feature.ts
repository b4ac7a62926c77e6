import type { RoutedFeature } from '../../platform/feature.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import { newId } from '../../platform/new-id.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { QueryFunctions } from './compile-with-fields.ts';
import { createEngineThreads } from './engine-threads.ts';
import { createEventsStored } from './events-stored.ts';
import { createExportService } from './export-service.ts';
import { createFieldService } from './field-service.ts';
import { createResultQuota, expiredSearches } from './kept-results.ts';
import { createKnownValues } from './known-values.ts';
import { createKqlCompiler, type KqlCompiler } from './kql-compiler.ts';
import type { QueryCatalog } from './named-catalog.ts';
import { QUEUE_LIMITS } from './query-queues.ts';
import { createQueryService, type QueryService } from './query-service.ts';
import { createQuerySlots } from './query-slots.ts';
import { createQueueShares } from './queue-shares.ts';
import { savedQueryRoutes } from './saved-query-routes.ts';
import { createSavedQueryService } from './saved-query-service.ts';
import { createSavedQueryStore } from './saved-query-store.ts';
import { createSearchAidsService } from './search-aids-service.ts';
import { createSearchHistoryStore } from './search-history-store.ts';
import { createSearchResultStore } from './search-result-store.ts';
import { searchRoutes } from './search-routes.ts';
import type { ReachOf, SearchServices, WorkbookKql } from './search-services.ts';
import { createSearchTaskService, type MaxAtOnce } from './search-task-service.ts';
import { createSearchTaskStore } from './search-task-store.ts';
import { searchUpkeep } from './search-upkeep.ts';
import { createSeenFieldStore } from './seen-field-store.ts';
import { createSeenFields, type SeenFields } from './seen-fields.ts';
import { type SlowQueryDeps, slowQueryRoutes } from './slow-queries.ts';

export interface SearchFeature extends RoutedFeature {
  /** Expired results and old records of searches go. */
  readonly jobs: readonly AnyJob[];
  /** KQL to rows, for every other feature. */
  readonly queries: QueryService;
  /** Which fields events have inside Ext. */
  readonly seenFields: SeenFields;
}

interface SearchFeatureDeps {
  readonly platform: Platform;
  readonly workbookKql: WorkbookKql;
  readonly audit: AuditService;
  /** No scope when absent. */
  readonly reachOf?: ReachOf;
  /** What queries may name besides; nothing when absent. */
  readonly functions?: QueryFunctions;
  /** What tenants added to their catalogs; nothing when absent. */
  readonly catalog?: QueryCatalog;
  /** What plans allow; no limit when absent. */
  readonly maxAtOnce?: MaxAtOnce;
  /** Names of the people of a scope by id. */
  readonly namesOf?: SlowQueryDeps['namesOf'];
  /** One that its owner closes; one of its own when absent, which ends with the app. */
  readonly compiler?: KqlCompiler;
}

/** Search: tasks, aids, exports, and the query service that other features use. */
export function searchFeature(deps: SearchFeatureDeps): SearchFeature {
  const { postgres, eventStore: events, clock, log } = deps.platform;
  const { compiler = createKqlCompiler(), namesOf = async () => new Map() } = deps;
  const seenFields = createSeenFields({ events, store: createSeenFieldStore(postgres), clock, log });
  const shares = createQueueShares({ postgres, processId: newId(), log });
  const slots = createQuerySlots(QUEUE_LIMITS, shares, undefined, createEngineThreads(events));
  const shared = { events, compiler, seenFields, slots, stored: createEventsStored(events), clock };
  const queries = createQueryService({ ...shared, functions: deps.functions, catalog: deps.catalog });
  const history = createSearchHistoryStore(postgres);
  const results = createSearchResultStore(events);
  const tasks = createSearchTaskService({
    tasks: createSearchTaskStore(postgres),
    results,
    quota: createResultQuota(postgres, results),
    ...(deps.maxAtOnce ? { maxAtOnce: deps.maxAtOnce } : {}),
    history,
    queries,
    postgres,
    ...{ audit: deps.audit, clock, log },
  });
  const services: SearchServices = {
    tasks,
    aids: createSearchAidsService({ queries, events }),
    fields: createFieldService({ queries, seenFields, events }),
    exports: createExportService({ queries, isAwaited: slots.isAwaited }),
    knownValues: createKnownValues({ queries, seenFields, clock }),
    saved: createSavedQueryService({ store: createSavedQueryStore(postgres), clock, audit: deps.audit }),
    history,
    workbookKql: deps.workbookKql,
    reachOf: deps.reachOf ?? (() => ({ tenant: [], scopes: [] })),
    ...{ clock, audit: deps.audit },
  };
  return {
    queries,
    seenFields,
    jobs: [expiredSearches({ postgres, clock }), searchUpkeep({ postgres, clock })],
    register: (app) => {
      searchRoutes(app, services);
      savedQueryRoutes(app, services);
      slowQueryRoutes(app, { postgres, clock, tasks, namesOf });
      app.addHook('onClose', async () => {
        await tasks.stop();
        await shares.stop();
        if (!deps.compiler) await compiler.close();
      });
    },
  };
}
