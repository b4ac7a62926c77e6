import {
  listAllScopes,
  listClusters,
  listScopes,
  platformState,
  readAllScopes,
  readScopes,
  readTenant,
  tenantList,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../../platform/http/bind-endpoint.ts';
import type { PlatformState } from './platform-state.ts';
import type { TenantService } from './tenant-service.ts';

/** Binds the calls about tenants and scopes, and the state of the platform. */
export function registerTenantRoutes(
  app: FastifyInstance,
  tenants: TenantService,
  state: () => Promise<PlatformState>,
): void {
  bindEndpoint(app, listClusters, ({ caller, input }) =>
    tenants.list(caller, { query: '', filters: [], page: input.page, size: input.size }),
  );
  bindEndpoint(app, tenantList, ({ caller, input }) =>
    tenants.list(caller, { ...input, filters: input.add_filter }),
  );
  bindEndpoint(app, readTenant, ({ caller, clusterId }) => tenants.read(caller, clusterId));
  for (const endpoint of [listAllScopes, readAllScopes]) {
    bindEndpoint(app, endpoint, ({ caller, input }) => tenants.scopes(caller, null, input));
  }
  for (const endpoint of [listScopes, readScopes]) {
    bindEndpoint(app, endpoint, ({ caller, clusterId, input }) => tenants.scopes(caller, clusterId, input));
  }
  bindEndpoint(app, platformState, state);
}
