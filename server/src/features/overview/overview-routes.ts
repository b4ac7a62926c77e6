import { scopeOverview } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { OverviewService } from './overview-service.ts';

export function registerOverviewRoutes(app: FastifyInstance, overview: OverviewService): void {
  bindEndpoint(app, scopeOverview, ({ clusterId, input, signal }) =>
    overview.read({ clusterId, scopeId: input.scope_id, start: input.start, end: input.end, signal }),
  );
}
