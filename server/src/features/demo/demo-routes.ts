import { addDemo, readDemo, removeDemo } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { DemoService } from './demo-service.ts';

/** Binds the calls of the demo. */
export function demoRoutes(app: FastifyInstance, demo: DemoService): void {
  bindEndpoint(app, readDemo, () => demo.status());
  bindEndpoint(app, addDemo, async () => ({ accounts: [...(await demo.add())] }));
  bindEndpoint(app, removeDemo, async () => ({ removed_tenants: await demo.remove() }));
}
