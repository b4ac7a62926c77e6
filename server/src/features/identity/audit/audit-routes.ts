import { Readable } from 'node:stream';
import { auditTrail, clusterAuditTrail, verifyAuditTrail } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint, type Call } from '../../../platform/http/bind-endpoint.ts';
import type { AuditAsked, AuditTrailService } from './audit-trail-service.ts';

interface Page {
  readonly pageno: number;
  readonly pagesize: number;
  readonly export: boolean;
}

/** Binds the audit trail of a tenant and of everything that the caller administers. */
export function registerAuditRoutes(app: FastifyInstance, trail: AuditTrailService): void {
  const answer = async (call: Call<Page>, clusterId: string | null, asked: AuditAsked) => {
    if (!call.input.export) return trail.page(call.caller, clusterId, asked, call.input);
    const file = Readable.from(await trail.export(call.caller, clusterId, asked, call.request.ip));
    return call.reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit-trail.csv"')
      .send(file);
  };
  bindEndpoint(app, clusterAuditTrail, (call) => {
    const { start, end, user, action } = call.input;
    return answer(call, call.clusterId, { from: start, to: end, user, action });
  });
  bindEndpoint(app, auditTrail, (call) => {
    const { from, to, orgId, user, action, 'tenant-list': ofTenants } = call.input;
    return answer(call, null, { from, to, orgId, ofTenants, user, action });
  });
  bindEndpoint(app, verifyAuditTrail, ({ caller, request }) => trail.verify(caller, request.ip));
}
