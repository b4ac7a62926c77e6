import { listOrganizations } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { OrganizationService } from './organization-service.ts';

export function registerOrganizationRoutes(app: FastifyInstance, organizations: OrganizationService): void {
  bindEndpoint(app, listOrganizations, ({ caller, input }) => organizations.list(caller, input));
}
