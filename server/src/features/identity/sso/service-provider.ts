import type { ServiceProvider } from '@tyrian/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../platform/config.ts';
import { publicOrigin } from '../sign-in/public-address.ts';

// The addresses under which an identity provider knows this service. They come from the configuration; only a
// browser on this machine itself, which no provider on the network reaches, is taken at its word.

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

type Asked = Pick<FastifyRequest, 'headers' | 'protocol'>;

/** Address of the console, without a slash at its end. */
export function consoleAddress(config: Config, request: Asked): string {
  if (config.publicUrl) return config.publicUrl.replace(/\/+$/, '');
  const { host } = request.headers;
  return host && LOCAL_HOST.test(host) ? `${request.protocol}://${host}` : publicOrigin(config);
}

export function serviceProviderOf(config: Config, request: Asked, orgId: string): ServiceProvider {
  const base = `${consoleAddress(config, request)}/lc/sso`;
  return {
    entity_id: `${base}/saml/${orgId}/metadata`,
    metadata_url: `${base}/saml/${orgId}/metadata`,
    acs_url: `${base}/saml/${orgId}/acs`,
    slo_url: `${base}/saml/${orgId}/logout`,
    redirect_uri: `${base}/oidc/${orgId}/callback`,
    post_logout_uri: `${base}/oidc/${orgId}/signed-out`,
  };
}
