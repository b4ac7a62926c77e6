import type { RoutedFeature } from '../../platform/feature.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Identity } from '../identity/identity-feature.ts';
import type { IngestService } from '../ingest/ingest-service.ts';
import type { SourceService } from '../sources/source-service.ts';
import { createDemoFlow, type DemoFlow } from './demo-flow.ts';
import { createDemoMaker, type DemoMakerDeps } from './demo-maker.ts';
import { demoRoutes } from './demo-routes.ts';
import { createDemoService, type DemoService } from './demo-service.ts';
import { createDemoStore } from './demo-store.ts';
import { createDemoWriter } from './demo-writer.ts';

export interface DemoFeature extends RoutedFeature {
  readonly service: DemoService;
  /** Runs with the worker role. */
  readonly work: DemoFlow;
}

/** The demo company: making, removing, and the flow of its events. */
export function demoFeature(deps: {
  readonly platform: Platform;
  readonly identity: Identity;
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly prepareTenant: DemoMakerDeps['prepareTenant'];
}): DemoFeature {
  const { clock, config, log, postgres } = deps.platform;
  const store = createDemoStore(postgres);
  const made = createDemoService({
    store,
    maker: createDemoMaker({ ...deps.identity, sources: deps.sources, prepareTenant: deps.prepareTenant }),
    standBack: () => work.standBack(),
    clock,
    audit: deps.identity.audit,
  });
  const work = createDemoFlow({
    store,
    writer: createDemoWriter(deps.ingest, config.demoEvents),
    clear: made.clear,
    clock,
    log,
  });
  const service: DemoService = {
    ...made,
    add: async () => {
      const accounts = await made.add();
      work.wake();
      return accounts;
    },
  };
  return { service, work, register: (app) => demoRoutes(app, service) };
}
