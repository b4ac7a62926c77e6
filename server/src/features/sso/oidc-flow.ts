import type { OidcProvider, ServiceProvider } from '@tyrian/contract';
import * as oidc from 'openid-client';
import { AppError } from '../../platform/app-error.ts';
import { SsoRefusal } from './saml-flow.ts';

// OpenID Connect: authorization code with PKCE, state and nonce. The provider is discovered by its issuer.

const TIMEOUT_S = 10;

interface OidcDeps {
  readonly provider: OidcProvider;
  readonly clientSecret: string | null;
  readonly service: ServiceProvider;
}

/** What must be known again when the browser comes back. */
export interface OidcState {
  readonly verifier: string;
  readonly nonce: string;
}

/** Plain HTTP is for a provider on this machine alone. */
export function isLocal(address: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
}

/** Reads the provider's own description. Throws AppError `bad-input` that says what is wrong. */
export async function discoverProvider(deps: Omit<OidcDeps, 'service'>): Promise<oidc.Configuration> {
  const issuer = new URL(deps.provider.issuer);
  if (issuer.protocol === 'http:' && !isLocal(issuer)) {
    throw new AppError('bad-input', 'issuer: must be an https address', { field: 'issuer' });
  }
  const { client_id } = deps.provider;
  try {
    return await oidc.discovery(issuer, client_id, deps.clientSecret ?? undefined, undefined, {
      timeout: TIMEOUT_S,
      ...(isLocal(issuer) ? { execute: [oidc.allowInsecureRequests] } : {}),
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : 'no answer';
    throw new AppError('bad-input', `issuer: the provider could not be discovered: ${why}`, {
      field: 'issuer',
    });
  }
}

/** The address at the provider to which the browser is sent, and what to keep until it comes back. */
export async function oidcSignInAddress(
  deps: OidcDeps,
  email: string,
): Promise<{ address: string; requestId: string; state: OidcState }> {
  const configuration = await discoverProvider(deps);
  const requestId = oidc.randomState();
  const state = { verifier: oidc.randomPKCECodeVerifier(), nonce: oidc.randomNonce() };
  const address = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: deps.service.redirect_uri,
    scope: deps.provider.scopes,
    code_challenge: await oidc.calculatePKCECodeChallenge(state.verifier),
    code_challenge_method: 'S256',
    state: requestId,
    nonce: state.nonce,
    login_hint: email,
  });
  return { address: address.href, requestId, state };
}

/** Exchanges the code that the browser brought. Answers the address that the provider vouches for. */
export async function readOidcAnswer(
  deps: OidcDeps,
  query: string,
  requestId: string,
  state: OidcState,
): Promise<{ email: string; nameId: string }> {
  const configuration = await discoverProvider(deps);
  const tokens = await oidc.authorizationCodeGrant(
    configuration,
    new URL(`${deps.service.redirect_uri}?${query}`),
    {
      pkceCodeVerifier: state.verifier,
      expectedState: requestId,
      expectedNonce: state.nonce,
      idTokenExpected: true,
    },
  );
  const claims = tokens.claims();
  if (!claims) throw new SsoRefusal('the answer has no identity token');
  const more =
    typeof claims.email === 'string' || !configuration.serverMetadata().userinfo_endpoint
      ? claims
      : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  if (typeof more.email !== 'string') throw new SsoRefusal('the provider names no email address');
  if (more.email_verified === false) throw new SsoRefusal('the provider has not verified the email address');
  return { email: more.email, nameId: claims.sub };
}

/** The address at the provider at which the browser signs out; null when the provider has none. */
export async function oidcLogoutAddress(deps: OidcDeps): Promise<string | null> {
  const configuration = await discoverProvider(deps);
  if (!configuration.serverMetadata().end_session_endpoint) return null;
  return oidc.buildEndSessionUrl(configuration, {
    client_id: deps.provider.client_id,
    post_logout_redirect_uri: deps.service.post_logout_uri,
  }).href;
}
