import {
  addPerson,
  createOrganization,
  deleteOrganization,
  deletePerson,
  listOrganizations,
  listPeople,
  readOrganization,
  readPerson,
  saveOrganization,
  savePerson,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../../platform/http/bind-endpoint.ts';
import { actorOf } from '../tenants/tenant-administration-routes.ts';
import type { OrganizationAdministration } from './organization-administration.ts';
import type { OrganizationService } from './organization-service.ts';

/** Binds the list of organizations. */
export function registerOrganizationRoutes(app: FastifyInstance, organizations: OrganizationService): void {
  bindEndpoint(app, listOrganizations, ({ caller, input }) => organizations.list(caller, input));
}

/** Binds the changes of organizations and of their people. */
export function registerOrganizationAdministration(
  app: FastifyInstance,
  administration: OrganizationAdministration,
): void {
  const orgOf = ({ params }: { params: Readonly<Record<string, string>> }) => params.orgId ?? '';
  const userOf = ({ params }: { params: Readonly<Record<string, string>> }) => params.userId ?? '';
  bindEndpoint(app, readOrganization, (call) => administration.read(actorOf(call), orgOf(call)));
  bindEndpoint(app, createOrganization, async (call) => ({
    orgId: await administration.create(actorOf(call), call.input.name),
  }));
  bindEndpoint(app, saveOrganization, async (call) => {
    await administration.save(actorOf(call), orgOf(call), call.input);
    return {};
  });
  bindEndpoint(app, deleteOrganization, async (call) => {
    await administration.remove(actorOf(call), orgOf(call));
    return {};
  });
  bindEndpoint(app, listPeople, (call) => administration.people(actorOf(call), orgOf(call), call.input));
  bindEndpoint(app, addPerson, (call) => administration.add(actorOf(call), orgOf(call), call.input));
  bindEndpoint(app, readPerson, (call) => administration.readPerson(actorOf(call), userOf(call)));
  bindEndpoint(app, savePerson, async (call) => {
    await administration.savePerson(actorOf(call), userOf(call), call.input);
    return {};
  });
  bindEndpoint(app, deletePerson, async (call) => {
    await administration.removePerson(actorOf(call), userOf(call));
    return {};
  });
}
