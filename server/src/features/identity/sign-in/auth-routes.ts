import {
  acceptEula,
  acceptPolicy,
  accessDetails,
  changePassword,
  initUser,
  invalidateSession,
  login,
  logout,
} from '@tyrian/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound } from '../../../platform/app-error.ts';
import { bindEndpoint, bindPublicEndpoint } from '../../../platform/http/bind-endpoint.ts';
import type { AuthService } from './auth-service.ts';
import type { Visitor } from './session-service.ts';

/** The session id that a request carries; empty without one. */
export function ssidOf(request: FastifyRequest): string {
  const header = request.headers.ssid;
  return typeof header === 'string' ? header : '';
}

/** Where a sign-in comes from, and the session that the browser had before. */
export function visitorOf(request: FastifyRequest): Visitor {
  return { source: request.ip, userAgent: request.headers['user-agent'] ?? '', ssid: ssidOf(request) };
}

/** Binds the calls of signing in and out. */
export function registerAuthRoutes(app: FastifyInstance, auth: AuthService): void {
  bindPublicEndpoint(app, initUser, ({ input }) => auth.init(input.emailId));
  bindPublicEndpoint(app, login, ({ input, request }) =>
    auth.login(input.emailId, input.password, request.ip, visitorOf(request)),
  );
  bindPublicEndpoint(app, logout, async ({ input, request }) => {
    await auth.endSession(input.ssid || ssidOf(request), request.ip);
    return {};
  });
  bindPublicEndpoint(app, invalidateSession, async ({ request }) => {
    await auth.endSession(ssidOf(request), request.ip);
    return {};
  });
  bindEndpoint(app, changePassword, async ({ caller, input, request }) => ({
    ended_sessions: await auth.changePassword(caller, input.old_password, input.new_password, request.ip),
  }));
  bindEndpoint(app, accessDetails, ({ caller }) => auth.accessOf(caller));
  bindEndpoint(app, acceptEula, async ({ caller, request }) => {
    await auth.accept(caller, 'eula', request.ip);
    return { EULA: true as const };
  });
  bindEndpoint(app, acceptPolicy, async ({ caller, params, request }) => {
    if (params.user_id !== caller.userId) throw notFound();
    await auth.accept(caller, 'policy', request.ip);
    return { user_id: caller.userId, isPolicyAccepted: true as const };
  });
}
