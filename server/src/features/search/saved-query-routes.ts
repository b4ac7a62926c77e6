import {
  deleteSavedQuery,
  listSavedQueries,
  readSavedQuery,
  restoreSavedQuery,
  saveQuery,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint, type Call } from '../../platform/http/bind-endpoint.ts';
import type { SearchServices } from './search-services.ts';

const actorOf = ({ caller, request }: Call<unknown>) => ({ caller, source: request.ip });
const scopeOf = ({ clusterId, input }: Call<{ scope_id: string }>) => ({
  clusterId,
  scopeId: input.scope_id,
});

/** Binds the calls of saved queries and snippets. */
export function savedQueryRoutes(app: FastifyInstance, { saved }: SearchServices): void {
  bindEndpoint(app, listSavedQueries, (call) => saved.list(actorOf(call), scopeOf(call), call.input.kind));
  bindEndpoint(app, readSavedQuery, (call) => saved.read(actorOf(call), scopeOf(call), call.input.id));
  bindEndpoint(app, saveQuery, (call) => saved.save(actorOf(call), scopeOf(call), call.input));
  bindEndpoint(app, deleteSavedQuery, async (call) => {
    await saved.remove(actorOf(call), scopeOf(call), call.input.id);
    return { id: call.input.id };
  });
  bindEndpoint(app, restoreSavedQuery, (call) => saved.restore(actorOf(call), scopeOf(call), call.input.id));
}
