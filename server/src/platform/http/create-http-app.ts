import { readFileSync } from 'node:fs';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import type { Endpoint } from '@tyrian/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { newId } from '../new-id.ts';
import { answerError, asAppError } from './answer-error.ts';
import type { Authorizer } from './caller.ts';
import { createProxyTrust, type ProxyTrust } from './trusted-proxies.ts';

// The HTTP server that console and calls share: request ids, security headers, limits, one way to say no.

/** What routes find on the instance as `app.platform`. */
interface HttpPlatform {
  readonly log: Logger;
  readonly authorizer: Authorizer;
  /** Why calls cannot be served right now, in words for the caller; null when they can. */
  readonly whyUnavailable: () => string | null;
  /** Check every answer against its schema; on in tests. */
  readonly checkOutput: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly platform: HttpPlatform;
    /** Every endpoint that was bound, in order. */
    readonly boundEndpoints: Endpoint[];
  }
}

export interface HttpAppOptions extends HttpPlatform {
  readonly tls?: Config['tls'];
  /** Whose X-Forwarded-For counts; nobody's when absent. */
  readonly proxies?: ProxyTrust;
  /** Calls per minute and address; a console polls, so it is generous. */
  readonly perMinute?: number;
}

const CONTENT_SECURITY = {
  directives: {
    defaultSrc: ["'self'"],
    connectSrc: ["'self'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    scriptSrc: ["'self'"],
    workerSrc: ["'self'", 'blob:'],
    styleSrc: ["'self'", "'unsafe-inline'"],
    frameAncestors: ["'none'"],
    // A console on plain HTTP stays blank when the browser upgrades its requests.
    upgradeInsecureRequests: null,
  },
};

function tlsOptions(tls: Config['tls']) {
  return tls ? { https: { cert: readFileSync(tls.cert), key: readFileSync(tls.key) } } : {};
}

/** A fastify instance with the platform on it and no routes yet. */
export async function createHttpApp(options: HttpAppOptions): Promise<FastifyInstance> {
  const { tls, perMinute = 6_000, proxies = createProxyTrust([], options.log), ...platform } = options;
  const app = Fastify({
    ...tlsOptions(tls),
    bodyLimit: 1024 * 1024,
    genReqId: () => newId(),
    forceCloseConnections: 'idle',
    trustProxy: proxies.isTrusted,
    routerOptions: { maxParamLength: 512 },
  }) as unknown as FastifyInstance;
  app.decorate('platform', platform);
  app.decorate('boundEndpoints', []);
  app.addHook('onRequest', async (request, reply) => {
    proxies.clean(request);
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => {
    platform.log.debug(
      { id: request.id, method: request.method, route: request.routeOptions.url, status: reply.statusCode },
      'call',
    );
  });
  app.setErrorHandler((error, _request, reply) => answerError(reply, asAppError(error, platform.log)));
  app.setNotFoundHandler((_request, reply) => answerError(reply, new AppError('not-found', 'not found')));
  await app.register(helmet, { contentSecurityPolicy: CONTENT_SECURITY, hsts: Boolean(tls) });
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    errorResponseBuilder: (_request, context) =>
      Object.assign(new Error(`too many requests; try again in ${context.after}`), { statusCode: 429 }),
  });
  return app;
}
