import { readFileSync } from 'node:fs';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { type Endpoint, type ServerMessage, say } from '@tyrian/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { newId } from '../new-id.ts';
import { answerError, asAppError } from './answer-error.ts';
import { assertInputAllowed, assertQueryAllowed } from './assert-input-allowed.ts';
import type { CallTrail } from './call-context.ts';
import type { Authorizer } from './caller.ts';
import { INPUT_LIMITS } from './input-limits.ts';
import { type ConnectionLimits, limitConnections } from './limit-connections.ts';
import { createRefusalPace, type RefusalPace } from './refusal-pace.ts';
import { createProxyTrust, type ProxyTrust } from './trusted-proxies.ts';

// The HTTP server that console and calls share: request ids, security headers, limits, one way to say no.

/** What routes find on the instance as `app.platform`. */
interface HttpPlatform {
  readonly log: Logger;
  readonly authorizer: Authorizer;
  readonly trail: CallTrail;
  /** Why calls cannot be served right now, in words for the caller; null when they can. */
  readonly whyUnavailable: () => ServerMessage | null;
  /** Check every answer against its schema; on in tests. */
  readonly checkOutput: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly platform: HttpPlatform;
    /** Every endpoint that was bound, in order. */
    readonly boundEndpoints: Endpoint[];
    /** Holds back what is told to those who are told "too many" all the time. */
    readonly refusalPace: RefusalPace;
  }
}

export interface HttpAppOptions extends HttpPlatform {
  readonly tls?: Config['tls'];
  /** Whose X-Forwarded-For counts; nobody's when absent. */
  readonly proxies?: ProxyTrust;
  /** Calls per minute and address; a console polls, so it is generous. */
  readonly perMinute?: number;
  readonly times?: HttpTimes;
  readonly connections?: ConnectionLimits;
}

/** How long a request may take to arrive, in milliseconds. How long its answer takes is not limited here. */
export interface HttpTimes {
  readonly headersMs: number;
  /** The whole request, with its body. */
  readonly requestMs: number;
  /** How often open requests are looked at. */
  readonly checkMs: number;
}

/** 64 MiB within two minutes are 4.5 Mbit/s; who is slower sends smaller bodies. */
const HTTP_TIMES: HttpTimes = { headersMs: 20_000, requestMs: 120_000, checkMs: 5_000 };
/** Proxies bring all their clients from one address, so that only the sum is limited where nothing else is said. */
const MAX_CONNECTIONS = 4_000;

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

function serverOptions(tls: Config['tls'], { headersMs, checkMs }: HttpTimes) {
  const times = { headersTimeout: headersMs, connectionsCheckingInterval: checkMs };
  return tls
    ? { https: { ...times, cert: readFileSync(tls.cert), key: readFileSync(tls.key) } }
    : { http: times };
}

/** A fastify instance with the platform on it and no routes yet. */
export async function createHttpApp(options: HttpAppOptions): Promise<FastifyInstance> {
  const {
    tls,
    perMinute = INPUT_LIMITS.callsPerMinute,
    proxies = createProxyTrust([], options.log),
    times = HTTP_TIMES,
    connections,
    ...platform
  } = options;
  const app = Fastify({
    ...serverOptions(tls, times),
    requestTimeout: times.requestMs,
    bodyLimit: INPUT_LIMITS.bodyBytes,
    genReqId: () => newId(),
    forceCloseConnections: 'idle',
    trustProxy: proxies.isTrusted,
    // An address that cannot be decoded reaches no route, and so not the handler of errors below.
    frameworkErrors: (error, _request, reply) => answerError(reply, asAppError(error, platform.log)),
    routerOptions: { maxParamLength: INPUT_LIMITS.pathParameterLength },
  }) as unknown as FastifyInstance;
  limitConnections(app.server, connections ?? { most: MAX_CONNECTIONS, perAddress: MAX_CONNECTIONS });
  app.decorate('platform', platform);
  app.decorate('boundEndpoints', []).decorate('refusalPace', createRefusalPace());
  app.addHook('onRequest', async (request, reply) => {
    proxies.clean(request);
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
  });
  app.addHook('preValidation', async (request) => {
    assertInputAllowed(request.params);
    assertQueryAllowed(request.query);
    assertInputAllowed(request.body);
  });
  app.addHook('onResponse', async (request, reply) => {
    platform.log.debug(
      { id: request.id, method: request.method, route: request.routeOptions.url, status: reply.statusCode },
      'call',
    );
  });
  app.setErrorHandler((error, request, reply) =>
    answerError(reply, asAppError(error, platform.log, request.routeOptions.url)),
  );
  app.setNotFoundHandler((_request, reply) =>
    answerError(reply, new AppError('not-found', say('session.notFound'))),
  );
  await app.register(helmet, { contentSecurityPolicy: CONTENT_SECURITY, hsts: Boolean(tls) });
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    errorResponseBuilder: (_request, context) =>
      new AppError('too-many', say('input.tooManyRequests', { seconds: Math.ceil(context.ttl / 1000) })),
  });
  return app;
}
