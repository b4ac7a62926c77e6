import { type Endpoint, type Envelope, say } from '@tyrian/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { z } from 'zod';
import { AppError, type AppErrorKind } from '../app-error.ts';
import { answerError, asAppError } from './answer-error.ts';
import { type CallContext, withinCall } from './call-context.ts';
import type { Caller } from './caller.ts';
import { inputRefusal, mistakesOf } from './input-refusal.ts';

// Turns an endpoint value into a route. The order is always: limits of all input (create-http-app.ts),
// engines up, session, right, input, handler, envelope. What the endpoint owes to the audit trail is checked on the way
// out, and a refusal is told to it.

/** What a handler gets. `clusterId` is '' on paths that name no cluster. */
export interface Call<I, C = Caller> {
  readonly caller: C;
  readonly clusterId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly input: I;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

type Handler<E extends Endpoint, C> = (
  call: Call<z.output<E['input']>, C>,
) => Promise<z.input<E['output']> | FastifyReply> | z.input<E['output']> | FastifyReply;

export interface BindOptions {
  /** Calls per minute and address; the general limit holds when absent. */
  readonly perMinute?: number;
  /** Largest body in bytes; 1 MiB when absent. */
  readonly bodyLimit?: number;
  /** The sentence in the envelope; `success` when absent. */
  readonly message?: string;
}

/** The scopes that a request names, as its fields stand before validation. */
function scopesNamed(input: unknown, params: Readonly<Record<string, string>>): readonly string[] {
  const body = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  const named = [body.scope_id, body.ScopeID, body.scope_ids, params.scopeId].flat();
  return [...new Set(named.filter((scope): scope is string => typeof scope === 'string' && scope !== ''))];
}

function parseInput<E extends Endpoint>(endpoint: E, raw: unknown): z.output<E['input']> {
  const parsed = endpoint.input.safeParse(raw ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data as z.output<E['input']>;
  throw inputRefusal(mistakesOf(parsed.error.issues));
}

function abortWhenGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** An answer that has gone out, or a stream of which a part has. */
const isBegun = (reply: FastifyReply): boolean => reply.sent || reply.raw.headersSent;

function send(
  app: FastifyInstance,
  endpoint: Endpoint,
  reply: FastifyReply,
  data: unknown,
  message: string,
): unknown {
  if (isBegun(reply)) return reply;
  if (endpoint.answer === 'blob' || endpoint.answer === 'sse') return reply.send(data);
  if (app.platform.checkOutput) endpoint.output.parse(data);
  if (endpoint.answer === 'flat') return reply.send(data);
  const body: Envelope<unknown> = { status: 'success', message, data: data ?? null };
  return reply.send(body);
}

/** Work that failed because the caller went away is nobody's error: it is told to the log of details alone. */
function answerNobody(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  app.platform.log.debug({ id: request.id, route: request.routeOptions.url }, 'the caller went away');
  return isBegun(reply) ? reply : answerError(reply, new AppError('unavailable', say('engines.callerLeft')));
}

/** Who calls: by the session in the header SSID, else by the program's token in the header Token. */
function proved(
  app: FastifyInstance,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Caller | null> | null {
  const { authorizer } = app.platform;
  const { ssid, token } = request.headers;
  if (typeof ssid === 'string' && ssid !== '') return authorizer.authenticate(ssid, endpoint);
  if (typeof token !== 'string' || token === '') return null;
  return authorizer.authenticateToken?.(token, endpoint.name, request.ip) ?? null;
}

async function callerOf(
  app: FastifyInstance,
  context: CallContext,
  request: FastifyRequest,
  raw: unknown,
  params: Readonly<Record<string, string>>,
): Promise<Caller | null> {
  const { access } = context.endpoint;
  if (access.kind === 'public') return null;
  const caller = await proved(app, context.endpoint, request);
  if (caller === null) throw new AppError('invalid-session', say('session.invalid'));
  context.caller = caller;
  await app.platform.authorizer.authorize(caller, access, {
    clusterId: params.clusterId,
    scopeIds: scopesNamed(raw, params),
  });
  return caller;
}

/** Whoever served the call must have written its entry; where they forgot, the call itself becomes one. */
async function settleAudit(app: FastifyInstance, context: CallContext, clusterId: string | undefined) {
  const { endpoint, entries, isEntryDueLater } = context;
  if (endpoint.audit === 'nothing' || entries > 0 || isEntryDueLater) return;
  if (app.platform.checkOutput) throw new Error(`${endpoint.name} left no audit entry`);
  app.platform.log.error({ endpoint: endpoint.name }, 'a call left no audit entry of its own');
  await app.platform.trail.forgotten(context, { clusterId });
}

const REFUSALS: ReadonlySet<AppErrorKind> = new Set([
  'invalid-session',
  'not-authorised',
  'agreements-due',
  'not-found',
]);

/** Public calls note their failures themselves, where they know whom they concern. */
async function noteRefusal(
  app: FastifyInstance,
  context: CallContext,
  error: AppError,
  clusterId: string | undefined,
): Promise<void> {
  if (context.endpoint.access.kind === 'public' || !REFUSALS.has(error.kind)) return;
  await app.platform.trail.refused(context, { clusterId }, error.kind);
}

/** Not for calls whose bodies may be large: they would lie in memory meanwhile. */
async function holdBack(app: FastifyInstance, { caller }: CallContext, error: AppError, signal: AbortSignal) {
  if (error.kind === 'too-many' && caller !== null) await app.refusalPace.hold(caller.userId, signal);
}

function bind<E extends Endpoint, C extends Caller | null>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E, C>,
  options: BindOptions,
): void {
  app.boundEndpoints.push(endpoint);
  const route: RouteShorthandOptions = {
    ...(options.bodyLimit ? { bodyLimit: options.bodyLimit } : {}),
    config: options.perMinute ? { rateLimit: { max: options.perMinute, timeWindow: 60_000 } } : {},
  };
  app.route({
    ...route,
    method: endpoint.method,
    url: endpoint.path,
    handler: async (request, reply) => {
      const signal = abortWhenGone(reply);
      const context: CallContext = {
        endpoint,
        source: request.ip,
        caller: null,
        entries: 0,
        isEntryDueLater: false,
      };
      const { clusterId } = request.params as Record<string, string | undefined>;
      try {
        const down = app.platform.whyUnavailable();
        if (down !== null) throw new AppError('unavailable', down);
        const params = request.params as Record<string, string>;
        const raw = endpoint.method === 'POST' || endpoint.method === 'PUT' ? request.body : request.query;
        const caller = await callerOf(app, context, request, raw, params);
        const input = parseInput(endpoint, raw);
        const about = { params, input, request, reply, signal };
        const call = { caller: caller as C, clusterId: clusterId ?? '', ...about };
        const data = await withinCall(context, () => handler(call));
        await settleAudit(app, context, clusterId);
        return send(app, endpoint, reply, data, options.message ?? 'success');
      } catch (error) {
        if (signal.aborted) return answerNobody(app, request, reply);
        if (isBegun(reply)) throw error;
        const refusal = asAppError(error, app.platform.log, endpoint.path);
        await noteRefusal(app, context, refusal, clusterId);
        if (!options.bodyLimit) await holdBack(app, context, refusal, signal);
        return answerError(reply, refusal);
      }
    },
  });
}

/** Binds an endpoint that needs a session. */
export function bindEndpoint<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E, Caller>,
  options: BindOptions = {},
): void {
  if (endpoint.access.kind === 'public')
    throw new Error(`${endpoint.name} is public: use bindPublicEndpoint`);
  bind(app, endpoint, handler, options);
}

/** Binds an endpoint that everybody may call. */
export function bindPublicEndpoint<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E, null>,
  options: BindOptions = {},
): void {
  if (endpoint.access.kind !== 'public') throw new Error(`${endpoint.name} is not public: use bindEndpoint`);
  bind(app, endpoint, handler, options);
}
