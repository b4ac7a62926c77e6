import type { FastifyInstance } from 'fastify';
import { createArrivalMarks } from '../../platform/arrivals/arrival-marks.ts';
import { newId } from '../../platform/new-id.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { QueryFunctions } from '../search/compile-with-fields.ts';
import type { QueryService } from '../search/query-service.ts';
import { createDetectionRunner, type DetectionRunner } from './detection-runner.ts';
import {
  createDetectionScheduler,
  type DetectionScheduler,
  type DetectionSchedulerDeps,
} from './detection-scheduler.ts';
import { detectionRoutes } from './detections-routes.ts';
import { createDetectionsService, type DetectionsDeps } from './detections-service.ts';
import { createDetectionEvaluator } from './evaluate-detection.ts';
import type { RuleDefinitions } from './rule-definition.ts';
import { createRuleFigures } from './rule-figures.ts';
import { createRuleRuns, type RuleRuns } from './rule-runs.ts';

export interface DetectionsFeature {
  register(app: FastifyInstance): void;
  readonly runner: DetectionRunner;
  /** What other features ask about runs. */
  readonly runs: RuleRuns;
  readonly scheduler: DetectionScheduler;
  /** Runs with the worker role. */
  readonly work: DetectionScheduler;
}

/** The scheduler of detections and what people see of it. */
export function detectionsFeature(deps: {
  readonly platform: Platform;
  readonly queries: QueryService;
  readonly functions: QueryFunctions;
  readonly audit: AuditService;
  readonly definitions: RuleDefinitions;
  readonly definitionsIn: DetectionsDeps['definitionsIn'];
  readonly tenants: DetectionSchedulerDeps['tenants'];
  /** Called for each tenant when the scheduler first sees it or its scopes change. */
  readonly prepareTenant: (clusterId: string, scopeIds: readonly string[]) => Promise<void>;
  /** Days for which signals of a scope are kept as events; nobody has said when absent. */
  readonly signalDays?: DetectionSchedulerDeps['signalDays'];
}): DetectionsFeature {
  const { postgres, eventStore: events, clock, log } = deps.platform;
  const { queries, definitions } = deps;
  const evaluator = createDetectionEvaluator(queries, deps.functions);
  const figures = createRuleFigures({ postgres, events, clock, log });
  const runner = createDetectionRunner({
    postgres,
    events,
    figures,
    evaluator,
    definitions,
    clock,
    log,
    owner: newId(),
  });
  const scheduler = createDetectionScheduler({
    postgres,
    events,
    arrivals: createArrivalMarks(postgres),
    figures,
    runner,
    clock,
    log,
    tenants: deps.tenants,
    prepareTenant: deps.prepareTenant,
    signalDays: deps.signalDays ?? (async () => 0),
  });
  const service = createDetectionsService({
    postgres,
    queries,
    events,
    definitionsIn: deps.definitionsIn,
    audit: deps.audit,
    clock,
  });
  const runs = createRuleRuns({ postgres, reader: runner.reader, clock });
  return { runner, runs, scheduler, work: scheduler, register: (app) => detectionRoutes(app, service) };
}
