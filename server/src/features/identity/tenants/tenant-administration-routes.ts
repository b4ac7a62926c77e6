import {
  assignRoles,
  connectOrganization,
  deleteScope,
  disconnectOrganization,
  disconnectTenantUser,
  listTenantCandidates,
  saveScope,
  saveTenantUser,
  setScopeStatus,
} from '@tyrian/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bindEndpoint } from '../../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Actor, ScopeService } from './scope-service.ts';
import type { TenantAccessService } from './tenant-access-service.ts';

/** Who acts, from the call. */
export function actorOf({ caller, request }: { caller: Caller; request: FastifyRequest }): Actor {
  return { caller, source: request.ip };
}

/** Binds the changes of scopes and of who may do what in a tenant. */
export function registerTenantAdministration(
  app: FastifyInstance,
  scopes: ScopeService,
  access: TenantAccessService,
): void {
  bindEndpoint(app, saveScope, (call) => scopes.save(actorOf(call), call.clusterId, call.input));
  bindEndpoint(app, setScopeStatus, async (call) => {
    const { scopeId = '' } = call.params;
    await scopes.setStatus(actorOf(call), call.clusterId, scopeId, call.input.is_enabled);
    return { scope_id: scopeId, is_enabled: call.input.is_enabled };
  });
  bindEndpoint(app, deleteScope, async (call) => {
    await scopes.remove(actorOf(call), call.clusterId, call.input.scope_id);
    return { scope_id: call.input.scope_id };
  });
  bindEndpoint(app, listTenantCandidates, (call) =>
    access.candidates(actorOf(call), call.clusterId, call.input),
  );
  bindEndpoint(app, saveTenantUser, async (call) => {
    await access.save(actorOf(call), call.clusterId, call.params.userId ?? '', call.input);
    return {};
  });
  bindEndpoint(app, assignRoles, async (call) => ({
    changed: await access.assign(actorOf(call), call.clusterId, call.input),
  }));
  bindEndpoint(app, disconnectTenantUser, async (call) => {
    await access.disconnect(actorOf(call), call.clusterId, call.params.userId ?? '');
    return {};
  });
  bindEndpoint(app, connectOrganization, async (call) => {
    const { orgId = '' } = call.params;
    const { is_primary } = call.input;
    return {
      demoted_users: await access.connectOrganization(actorOf(call), call.clusterId, orgId, is_primary),
    };
  });
  bindEndpoint(app, disconnectOrganization, async (call) => ({
    disconnected_users: await access.disconnectOrganization(
      actorOf(call),
      call.clusterId,
      call.params.orgId ?? '',
    ),
  }));
}
