import type { FastifyInstance } from 'fastify';
import { registerBulk } from './bulk-routes.ts';
import { GELF_HTTP } from './gelf-routes.ts';
import { type HecDeps, registerHec } from './hec-routes.ts';
import { LOKI_PUSH } from './loki-routes.ts';
import { type NdjsonDeps, registerNdjson } from './ndjson-routes.ts';
import { OTLP_LOGS } from './otlp-routes.ts';
import { registerPush } from './push-routes.ts';

/** Binds every protocol of senders over HTTP, each in a context of its own. */
export async function registerSenders(app: FastifyInstance, deps: HecDeps & NdjsonDeps): Promise<void> {
  await registerHec(app, deps);
  await registerBulk(app, deps);
  await registerNdjson(app, deps);
  for (const protocol of [OTLP_LOGS, LOKI_PUSH, GELF_HTTP]) await registerPush(app, protocol, deps);
}
