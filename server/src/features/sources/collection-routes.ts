import {
  deleteCollection,
  editCollection,
  listCollection,
  listUnparsed,
  readSourceAccount,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import type { AuditRecorder } from '../../platform/audit-recorder.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { CollectionService } from './collection-service.ts';
import type { SourceService } from './source-service.ts';

interface SpoolStatus {
  readonly files: number;
  readonly bytes: number;
  readonly limitBytes: number;
}

export interface CollectionRouteDeps {
  readonly collection: CollectionService;
  readonly sources: Pick<SourceService, 'flush' | 'lostDatagrams'>;
  readonly audit: AuditRecorder;
  readonly spoolStatus: () => SpoolStatus;
  /** Counts what the kernel dropped of datagrams in this process. */
  readonly lookForDrops: () => Promise<void>;
}

/** Binds the calls of collection status. */
export function registerCollectionRoutes(
  app: FastifyInstance,
  { collection, sources, audit, spoolStatus, lookForDrops }: CollectionRouteDeps,
): void {
  bindEndpoint(app, listCollection, async ({ clusterId, input }) => {
    await lookForDrops();
    await sources.flush();
    const { files, bytes, limitBytes } = spoolStatus();
    const found = await collection.list({ clusterId, scopeId: input.scope_id }, input);
    const lost = await sources.lostDatagrams();
    return { ...found, lost_datagrams: lost, spool: { files, bytes, limit_bytes: limitBytes } };
  });
  bindEndpoint(app, readSourceAccount, async ({ clusterId, input }) => {
    await sources.flush();
    return collection.account({ clusterId, scopeId: input.scope_id, sourceId: input.source_id }, input);
  });
  bindEndpoint(app, editCollection, async ({ caller, clusterId, input, request }) => {
    const { scope_id: scopeId, source_id: sourceId, ...change } = input;
    await collection.edit({ clusterId, scopeId, sourceId }, change, { caller, address: request.ip });
    return { source_id: sourceId };
  });
  bindEndpoint(app, deleteCollection, async ({ caller, clusterId, input, request }) => {
    const source = { clusterId, scopeId: input.scope_id, sourceId: input.source_id };
    await collection.remove(source, { caller, address: request.ip });
    return { source_id: input.source_id };
  });
  bindEndpoint(app, listUnparsed, async ({ clusterId, input }) => {
    const { scope_id: scopeId, source, count } = input;
    const found = await collection.unparsed({ clusterId, scopeId }, source, count);
    const details = { query: `unparsed events of ${source}`, rows: found.length };
    await audit.record({ action: 'events.unparsed', clusterId, scopeId, entity: source, details });
    return found;
  });
}
