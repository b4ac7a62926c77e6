import {
  type OidcProvider,
  type ServerMessage,
  type ServiceProvider,
  say,
  sayOfField,
} from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import type { Reached } from '../../../platform/outgoing/check-target.ts';
import * as oidc from '../../../platform/outgoing/oidc-client.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing-connections.ts';
import { SsoRefusal } from './sso-refusal.ts';

// OpenID Connect: authorization code with PKCE, state and nonce. The provider is discovered by its issuer.

interface OidcDeps {
  readonly outgoing: Outgoing;
  readonly provider: OidcProvider;
  readonly clientSecret: string | null;
  readonly service: ServiceProvider;
}

/** What must be known again when the browser comes back. */
export interface OidcState {
  readonly verifier: string;
  readonly nonce: string;
}

const refuse = (why: ServerMessage) =>
  new AppError('bad-input', sayOfField('issuer', why), { field: 'issuer' });

/** An issuer is bare (OpenID Connect Discovery 1.0, 2): a path to the document would skip the check of the issuer. */
function checkIssuer(url: URL): void {
  if (url.username !== '' || url.password !== '') throw refuse(say('sso.withPassword'));
  if (url.search !== '' || url.hash !== '') throw refuse(say('sso.withQuery'));
  if (/(\.|%2e)well-known/i.test(url.pathname)) {
    throw refuse(say('sso.bareIssuer'));
  }
}

/**
 * Reads the provider's own description. Throws AppError `bad-input` for an issuer of a wrong form, or one that names
 * itself otherwise, and OutgoingError when no provider could be read there, whatever the reason.
 */
export async function discoverProvider({
  outgoing,
  provider,
  clientSecret,
}: Omit<OidcDeps, 'service'>): Promise<{
  readonly configuration: oidc.OidcConfiguration;
  readonly reached: readonly Reached[];
}> {
  const { issuer, client_id } = provider;
  checkIssuer(new URL(issuer));
  try {
    return await oidc.discoverOidc(outgoing, { issuer, clientId: client_id, clientSecret });
  } catch (error) {
    if (!(error instanceof oidc.IssuerDiffersError)) throw error;
    throw refuse(say('sso.issuerDiffers'));
  }
}

/** The address at the provider to which the browser is sent, and what to keep until it comes back. */
export async function oidcSignInAddress(
  deps: OidcDeps,
  email: string,
): Promise<{ address: string; requestId: string; state: OidcState }> {
  const { configuration } = await discoverProvider(deps);
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
  const { configuration } = await discoverProvider(deps);
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
  const { configuration } = await discoverProvider(deps);
  if (!configuration.serverMetadata().end_session_endpoint) return null;
  return oidc.buildEndSessionUrl(configuration, {
    client_id: deps.provider.client_id,
    post_logout_redirect_uri: deps.service.post_logout_uri,
  }).href;
}
