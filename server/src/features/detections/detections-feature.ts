import type { FastifyInstance } from 'fastify';
import { newId } from '../../platform/new-id.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { QueryService } from '../search/query-service.ts';
import { createDetectionRunner, type DetectionRunner } from './detection-runner.ts';
import { createDetectionScheduler, type DetectionScheduler } from './detection-scheduler.ts';
import { detectionRoutes } from './detections-routes.ts';
import { createDetectionsService, type DetectionsDeps } from './detections-service.ts';
import { createDetectionEvaluator } from './evaluate-detection.ts';
import type { RuleDefinitions } from './rule-definition.ts';

export interface DetectionsFeature {
  register(app: FastifyInstance): void;
  readonly runner: DetectionRunner;
  readonly scheduler: DetectionScheduler;
  /** Runs with the worker role. */
  readonly work: DetectionScheduler;
}

export interface TenantScopes {
  readonly clusterId: string;
  readonly scopeIds: readonly string[];
}

/** The scheduler of detections and what people see of it. */
export function detectionsFeature(deps: {
  readonly platform: Platform;
  readonly queries: QueryService;
  readonly audit: AuditService;
  readonly definitions: RuleDefinitions;
  readonly definitionsIn: DetectionsDeps['definitionsIn'];
  readonly tenants: () => Promise<readonly TenantScopes[]>;
  /** Called for each tenant when the scheduler first sees it or its scopes change. */
  readonly prepareTenant: (clusterId: string, scopeIds: readonly string[]) => Promise<void>;
}): DetectionsFeature {
  const { postgres, eventStore: events, clock, log } = deps.platform;
  const { queries, definitions } = deps;
  const evaluator = createDetectionEvaluator(queries);
  const runner = createDetectionRunner({
    postgres,
    events,
    evaluator,
    definitions,
    clock,
    log,
    owner: newId(),
  });
  const scheduler = createDetectionScheduler({
    postgres,
    events,
    runner,
    clock,
    log,
    tenants: deps.tenants,
    prepareTenant: deps.prepareTenant,
    streamsOf: async (key) => {
      const rule = await definitions.definitionOf(key);
      if (!rule) return null;
      const traits = await Promise.all(
        rule.detections.map((detection) => evaluator.traitsOf(rule, detection).catch(() => null)),
      );
      const streams = [...new Set(traits.flatMap((each) => each?.streams ?? []))];
      return streams.includes('*') ? ['*'] : streams;
    },
  });
  const service = createDetectionsService({
    postgres,
    queries,
    events,
    definitionsIn: deps.definitionsIn,
    audit: deps.audit,
    clock,
  });
  return { runner, scheduler, work: scheduler, register: (app) => detectionRoutes(app, service) };
}
