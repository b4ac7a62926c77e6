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
import { notFound } from '../../platform/app-error.ts';
import { bindEndpoint, bindPublicEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { AuthService } from './auth-service.ts';

const ssidOf = (request: FastifyRequest) => {
  const header = request.headers.ssid;
  return typeof header === 'string' ? header : '';
};

/** Binds the calls of signing in and out. */
export function registerAuthRoutes(app: FastifyInstance, auth: AuthService): void {
  bindPublicEndpoint(app, initUser, () => ({ auth_type: 'standard' as const, redirect_url: null }));
  bindPublicEndpoint(app, login, ({ input, request }) =>
    auth.login(input.emailId, input.password, request.ip),
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
