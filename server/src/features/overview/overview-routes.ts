import { scopeOverview } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { OverviewService } from './overview-service.ts';

/** An open overview reads anew every minute: its entries are counted by the hour. */
const ENTRY_EVERY_MS = 60 * 60_000;

export function registerOverviewRoutes(
  app: FastifyInstance,
  overview: OverviewService,
  audit: AuditService,
): void {
  bindEndpoint(app, scopeOverview, async ({ caller, clusterId, input, signal }) => {
    const { scope_id: scopeId, start, end } = input;
    const found = await overview.read({ clusterId, scopeId, start, end, signal });
    const details = { from: start, to: end, rows: found.totals.events };
    const kind = ['overview', caller.userId, clusterId, scopeId].join('\n');
    await audit.recordOften({ action: 'overview', clusterId, scopeId, details }, kind, ENTRY_EVERY_MS);
    return found;
  });
}
