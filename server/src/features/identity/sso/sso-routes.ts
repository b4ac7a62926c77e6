import { beginSso, endSso, readSsoSettings, saveSsoSettings, verifySsoToken } from '@tyrian/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../platform/config.ts';
import { bindEndpoint, bindPublicEndpoint } from '../../../platform/http/bind-endpoint.ts';
import { visitorOf } from '../sign-in/auth-routes.ts';
import { writeServiceMetadata } from './saml-metadata.ts';
import { consoleAddress, serviceProviderOf } from './service-provider.ts';
import type { SsoService } from './sso-service.ts';
import type { SsoSettingsService } from './sso-settings-service.ts';

interface SsoRoutes {
  readonly config: Config;
  readonly sso: SsoService;
  readonly settings: SsoSettingsService;
  /** PEM of the key that signs our messages. */
  readonly certificate: () => Promise<string>;
}

const COOKIE = 'tyrian_sso';
const COOKIE_S = 600;
const FORM_LIMIT = 512 * 1024;

/** Only calls of the console itself carry the cookie, never a page of somebody else. */
function cookieHeader(value: string, request: FastifyRequest): string {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  const age = value === '' ? 0 : COOKIE_S;
  return `${COOKIE}=${value}; Path=/lc/users; HttpOnly; SameSite=Strict; Max-Age=${age}${secure}`;
}

function cookieOf(request: FastifyRequest): string | null {
  const pairs = (request.headers.cookie ?? '').split(/;\s*/);
  const found = pairs.find((pair) => pair.startsWith(`${COOKIE}=`));
  return found ? found.slice(COOKIE.length + 1) : null;
}

/** Binds the calls of the console, and the addresses to which providers send the browser. */
export function registerSsoRoutes(
  app: FastifyInstance,
  { config, sso, settings, certificate }: SsoRoutes,
): void {
  const serviceOf = (request: FastifyRequest) => (orgId: string) => serviceProviderOf(config, request, orgId);
  bindPublicEndpoint(
    app,
    beginSso,
    async ({ input, request, reply }) => {
      const { redirect_url, cookie } = await sso.begin(input.emailId, serviceOf(request), request.ip);
      reply.header('set-cookie', cookieHeader(cookie, request));
      return { redirect_url };
    },
    { perMinute: 30 },
  );
  bindPublicEndpoint(
    app,
    verifySsoToken,
    async ({ params, request, reply }) => {
      reply.header('set-cookie', cookieHeader('', request));
      return sso.exchange(params.token ?? '', cookieOf(request), visitorOf(request));
    },
    { perMinute: 60 },
  );
  bindEndpoint(app, endSso, async ({ caller, request }) => ({
    redirect_url: await sso.logout(caller, serviceOf(request), request.ip),
  }));
  bindEndpoint(app, readSsoSettings, async ({ caller, params, request }) => ({
    ...(await settings.read(caller, params.orgId ?? '')),
    service: serviceOf(request)(params.orgId ?? ''),
  }));
  bindEndpoint(app, saveSsoSettings, async ({ caller, params, input, request }) => ({
    kind: await settings.save(caller, params.orgId ?? '', input, request.ip),
  }));
  registerProviderRoutes(app, { config, sso, settings, certificate });
}

type ProviderRequest = FastifyRequest<{ Params: { orgId: string } }>;

/** What providers and browsers on their way from one exchange; the protocols lay down how. */
function registerProviderRoutes(app: FastifyInstance, { config, sso, certificate }: SsoRoutes): void {
  const service = (request: FastifyRequest) => (orgId: string) => serviceProviderOf(config, request, orgId);
  const goOn = (request: FastifyRequest, reply: FastifyReply, token: string) =>
    reply
      .header('cache-control', 'no-store')
      .redirect(`${consoleAddress(config, request)}/#/auth/sso/${token}`, 303);
  const queryOf = (request: FastifyRequest) => request.url.split('?')[1] ?? '';
  const limited = { config: { rateLimit: { max: 120, timeWindow: 60_000 } } };

  app.get('/lc/sso/saml/:orgId/metadata', limited, async (request: ProviderRequest, reply) =>
    reply
      .type('application/samlmetadata+xml')
      .send(writeServiceMetadata(service(request)(request.params.orgId), await certificate())),
  );
  app.get('/lc/sso/saml/:orgId/logout', limited, async (request: ProviderRequest, reply) => {
    const next = await sso.takeLogout(request.params.orgId, queryOf(request), service(request), request.ip);
    return reply.redirect(next ?? `${consoleAddress(config, request)}/#/auth/login`, 303);
  });
  app.get('/lc/sso/oidc/:orgId/callback', limited, async (request: ProviderRequest, reply) =>
    goOn(
      request,
      reply,
      await sso.takeOidc(request.params.orgId, queryOf(request), service(request), request.ip),
    ),
  );
  app.get('/lc/sso/oidc/:orgId/signed-out', limited, (request: ProviderRequest, reply) =>
    reply.redirect(`${consoleAddress(config, request)}/#/auth/login`, 303),
  );
  app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    forms.post('/lc/sso/saml/:orgId/acs', limited, async (request: ProviderRequest, reply) => {
      const answer = request.body instanceof URLSearchParams ? request.body.get('SAMLResponse') : null;
      const { orgId } = request.params;
      return goOn(request, reply, await sso.takeSaml(orgId, answer ?? '', service(request), request.ip));
    });
  });
}
