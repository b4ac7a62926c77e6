import {
  forgetComponent,
  listComponents,
  listTenantComponents,
  readComponent,
  readTenantComponent,
  saveComponent,
  saveTenantComponent,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import type { BackgroundWork } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Logger } from '../../platform/log.ts';
import { actorOf } from '../tenants/tenant-administration-routes.ts';
import { type ComponentDeps, type ComponentService, createComponentService } from './component-service.ts';

const LOOK_MS = 30_000;

interface ComponentsFeature {
  readonly service: ComponentService;
  /** Runs with the worker role: mails about components. */
  readonly work: BackgroundWork;
  register(app: FastifyInstance): void;
}

function registerRoutes(app: FastifyInstance, components: ComponentService): void {
  const named = ({ params }: { params: Readonly<Record<string, string>> }) => ({
    type: params.type ?? '',
    id: params.id ?? '',
  });
  bindEndpoint(app, listComponents, async () => ({ data: await components.list(null) }));
  bindEndpoint(app, readComponent, (call) => components.read(null, named(call).type, named(call).id));
  bindEndpoint(app, saveComponent, async (call) => {
    await components.save(actorOf(call), null, named(call), call.input);
    return {};
  });
  bindEndpoint(app, forgetComponent, async (call) => {
    await components.forget(actorOf(call), named(call).type, named(call).id);
    return {};
  });
  bindEndpoint(app, listTenantComponents, async ({ clusterId }) => ({
    data: await components.list(clusterId),
  }));
  bindEndpoint(app, readTenantComponent, (call) =>
    components.read(call.clusterId, named(call).type, named(call).id),
  );
  bindEndpoint(app, saveTenantComponent, async (call) => {
    await components.save(actorOf(call), call.clusterId, named(call), call.input);
    return {};
  });
}

function watchComponents(components: ComponentService, log: Logger): BackgroundWork {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  return {
    name: 'component mails',
    start: async () => {
      timer = setInterval(() => {
        running = components
          .tell()
          .catch((error: Error) => log.warn({ err: error.message }, 'components could not be looked at'));
      }, LOOK_MS);
      timer.unref();
    },
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** Components with health, settings and the mails about them. */
export function componentsFeature(deps: ComponentDeps): ComponentsFeature {
  const service = createComponentService(deps);
  return {
    service,
    work: watchComponents(service, deps.platform.log),
    register: (app) => registerRoutes(app, service),
  };
}
