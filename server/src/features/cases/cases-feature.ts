import type { FastifyInstance } from 'fastify';
import type { CaseDeps } from './case-context.ts';
import { registerCaseRoutes } from './case-routes.ts';
import { type CaseService, createCaseService } from './case-service.ts';

export interface CasesFeature {
  readonly service: CaseService;
  register(app: FastifyInstance): void;
}

export function casesFeature(deps: CaseDeps): CasesFeature {
  const service = createCaseService(deps);
  return { service, register: (app) => registerCaseRoutes(app, service) };
}
