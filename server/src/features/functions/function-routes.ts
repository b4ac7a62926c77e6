import {
  deleteFunction,
  functionVersions,
  listFunctions,
  saveFunction,
  shareFunction,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint, type Call } from '../../platform/http/bind-endpoint.ts';
import type { FunctionService } from './function-service.ts';

const actorOf = ({ caller, request }: Call<unknown>) => ({ caller, source: request.ip });

/** Binds the calls of saved functions. */
export function functionRoutes(app: FastifyInstance, functions: FunctionService): void {
  bindEndpoint(app, listFunctions, (call) => functions.list(actorOf(call), call.clusterId));
  bindEndpoint(app, functionVersions, ({ clusterId, input }) => functions.versions(clusterId, input.name));
  bindEndpoint(app, saveFunction, (call) => functions.save(actorOf(call), call.clusterId, call.input));
  bindEndpoint(app, deleteFunction, async (call) => {
    const { name } = call.input;
    await functions.remove(actorOf(call), call.clusterId, name);
    return { name };
  });
  bindEndpoint(app, shareFunction, async (call) => {
    const { name, cluster_ids: targets } = call.input;
    return { results: await functions.share(actorOf(call), call.clusterId, name, targets) };
  });
}
