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
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import { type AnyJob, type Job, scheduledJob } from '../../platform/jobs/job.ts';
import { actorOf } from '../identity/tenants/tenant-administration-routes.ts';
import { type ComponentDeps, type ComponentService, createComponentService } from './component-service.ts';

interface ComponentsFeature {
  readonly service: ComponentService;
  /** Mails about components, and how engines are. */
  readonly jobs: readonly AnyJob[];
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

/** Looks each minute whether somebody is to be mailed about a component. */
function componentMails(components: ComponentService): Job<object> {
  return scheduledJob('component-mails', '* * * * *', () => components.tell());
}

/** Asks the engines each minute how they are. */
function componentFigures(components: ComponentService): Job<object> {
  return scheduledJob('component-figures', '* * * * *', (_payload, { signal }) =>
    components.sampleEngines(signal),
  );
}

/** Components with health, settings and the mails about them. */
export function componentsFeature(deps: ComponentDeps): ComponentsFeature {
  const service = createComponentService(deps);
  return {
    service,
    jobs: [componentMails(service), componentFigures(service)],
    register: (app) => registerRoutes(app, service),
  };
}
