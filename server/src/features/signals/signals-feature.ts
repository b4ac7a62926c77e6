import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { QueryService } from '../search/query-service.ts';
import { createEvidenceService } from './evidence-service.ts';
import { countByWorkbook } from './signal-store.ts';
import { signalRoutes } from './signals-routes.ts';
import { createSignalsService, type SignalsDeps, type SignalsService } from './signals-service.ts';

export interface SignalsFeature {
  register(app: FastifyInstance): void;
  readonly service: SignalsService;
}

/** Signals: lists, evidence, triage. */
export function signalsFeature(deps: {
  readonly platform: Platform;
  readonly queries: QueryService;
  readonly audit: AuditService;
  readonly casesById: SignalsDeps['casesById'];
  readonly knowledgeOf: SignalsDeps['knowledgeOf'];
}): SignalsFeature {
  const { postgres, clock } = deps.platform;
  const evidence = createEvidenceService({ postgres, queries: deps.queries });
  const service = createSignalsService({
    postgres,
    evidence,
    casesById: deps.casesById,
    knowledgeOf: deps.knowledgeOf,
    audit: deps.audit,
    clock,
  });
  return { service, register: (app) => signalRoutes(app, service) };
}

const MONTH_MS = 30 * 24 * 3_600_000;

/** Signals of the last thirty days by workbook, or of one of them. */
export const signalCounts =
  (postgres: Postgres, clock: Clock) =>
  (clusterId: string, scopeId: string, workbookId?: string): ReturnType<typeof countByWorkbook> =>
    postgres.inTenant(clusterId, (trx) =>
      countByWorkbook(trx, clusterId, scopeId, clock.now() - MONTH_MS, workbookId),
    );
