import {
  acceptClusterEula,
  clusterSummary,
  connectCluster,
  fetchLicense,
  listFleet,
  listSwitches,
  readBanner,
  readScopeStreamConfig,
  readStreamConfig,
  removeCluster,
  renameCluster,
  saveClusterEngine,
  saveScopeStreamConfig,
  saveStreamConfig,
  setLicense,
  setSwitch,
  setUpCluster,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { notAuthorised } from '../../../platform/app-error.ts';
import { bindEndpoint } from '../../../platform/http/bind-endpoint.ts';
import { asAccessCaller } from '../sign-in/authorizer.ts';
import type { ClusterService } from './cluster-service.ts';
import type { RetentionService } from './retention-service.ts';
import type { SwitchService } from './switch-service.ts';
import { actorOf } from './tenant-administration-routes.ts';

/** Binds Mission Control: the fleet and the way of a cluster into it. */
export function registerClusterRoutes(app: FastifyInstance, clusters: ClusterService): void {
  bindEndpoint(app, listFleet, ({ input }) => clusters.fleet(input));
  bindEndpoint(app, clusterSummary, ({ clusterId }) => clusters.summary(clusterId));
  bindEndpoint(app, connectCluster, (call) => clusters.connect(actorOf(call), call.input));
  bindEndpoint(app, setUpCluster, async (call) => ({
    clusterId: call.input.clusterId,
    scopes: await clusters.setUp(actorOf(call), call.input),
  }));
  bindEndpoint(app, renameCluster, async (call) => {
    const { clusterName } = call.input;
    await clusters.rename(actorOf(call), call.clusterId, clusterName);
    return { clusterId: call.clusterId, clusterName };
  });
  bindEndpoint(app, setLicense, async (call) => {
    await clusters.setLicense(actorOf(call), call.input);
    return {};
  });
  bindEndpoint(app, fetchLicense, ({ clusterId }) => clusters.license(clusterId));
  bindEndpoint(app, acceptClusterEula, (call) => clusters.acceptEula(actorOf(call), call.input.clusterId));
  bindEndpoint(app, saveClusterEngine, async (call) => ({
    engine_version: await clusters.saveEngine(actorOf(call), call.clusterId, call.input),
  }));
  bindEndpoint(app, removeCluster, async (call) => {
    await clusters.remove(actorOf(call), call.clusterId, call.input.clusterName);
    return {};
  });
}

/** Binds how long events are kept. */
export function registerRetentionRoutes(app: FastifyInstance, retention: RetentionService): void {
  bindEndpoint(app, readStreamConfig, async ({ clusterId }) => ({
    data: await retention.list(clusterId, null),
  }));
  bindEndpoint(app, saveStreamConfig, async (call) => ({
    events_to_delete: await retention.save(actorOf(call), call.clusterId, null, call.input),
  }));
  bindEndpoint(app, readScopeStreamConfig, async ({ clusterId, params }) => ({
    data: await retention.list(clusterId, params.scopeId ?? ''),
  }));
  bindEndpoint(app, saveScopeStreamConfig, async (call) => ({
    events_to_delete: await retention.save(
      actorOf(call),
      call.clusterId,
      call.params.scopeId ?? '',
      call.input,
    ),
  }));
}

/** Binds the Switchboard and the line above every page. */
export function registerSwitchRoutes(app: FastifyInstance, switches: SwitchService): void {
  bindEndpoint(app, listSwitches, async () => ({ data: await switches.list() }));
  bindEndpoint(app, setSwitch, async (call) => {
    const { clusterId, value } = call.input;
    await switches.set(actorOf(call), call.params.name ?? '', clusterId, value);
    return {};
  });
  bindEndpoint(app, readBanner, async ({ caller, input }) => {
    const { clusterId } = input;
    if (clusterId !== undefined && !asAccessCaller(caller).entryAt(clusterId)) throw notAuthorised();
    return { text: await switches.banner(clusterId ?? null) };
  });
}
