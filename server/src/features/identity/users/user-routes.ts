import { listScopeUsers, listTenantUsers } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../../platform/http/bind-endpoint.ts';
import type { UserService } from './user-service.ts';

export function registerUserRoutes(app: FastifyInstance, users: UserService): void {
  bindEndpoint(app, listScopeUsers, ({ clusterId, input }) =>
    users.scopeUsers(clusterId, input.scope_id, { ...input, handlersOnly: input.handlers_only }),
  );
  bindEndpoint(app, listTenantUsers, ({ clusterId, input }) => users.tenantUsers(clusterId, input));
}
