import { collectionStatus, createSource, revokeSource } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import { type CollectionRouteDeps, registerCollectionRoutes } from './collection-routes.ts';
import type { SourceService } from './source-service.ts';

interface SourceRouteDeps extends CollectionRouteDeps {
  readonly sources: SourceService;
}

/** Binds the calls about sources and the status of collection. */
export function registerSourceRoutes(app: FastifyInstance, deps: SourceRouteDeps): void {
  const { sources, spoolStatus } = deps;
  registerCollectionRoutes(app, deps);
  bindEndpoint(app, createSource, ({ caller, clusterId, input, request }) =>
    sources.create({
      clusterId,
      scopeId: input.scope_id,
      name: input.source_name,
      kind: input.kind,
      networks: input.networks,
      certificates: input.certificates,
      withToken: input.with_token,
      withSharedKey: input.with_shared_key,
      by: caller,
      address: request.ip,
    }),
  );
  bindEndpoint(app, revokeSource, ({ caller, clusterId, input, request }) =>
    sources.revoke(clusterId, input.scope_id, input.source_id, caller, request.ip),
  );
  bindEndpoint(app, collectionStatus, async ({ clusterId, input }) => {
    await sources.flush();
    const { files, bytes, limitBytes } = spoolStatus();
    return {
      sources: [...(await sources.status(clusterId, input.scope_id))],
      spool: { files, bytes, limit_bytes: limitBytes },
    };
  });
}
