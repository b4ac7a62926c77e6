import * as oidc from 'openid-client';
import type { Reached } from './check-target.ts';
import type { Outgoing } from './outgoing-connections.ts';
import { OutgoingError } from './outgoing-error.ts';
import { requestOutgoing } from './outgoing-http.ts';

// OpenID Connect over checked outgoing connections: discovery, and whatever the discovered configuration is used for later (keys, token,
// user information), all by the same bounded calls. Nothing else in the server makes a configuration.

// What works on a configuration made here.
export {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
export type OidcConfiguration = oidc.Configuration;

const CALL_MS = 10_000;
const MAX_BYTES = 500_000;
const ISSUER_DIFFERS = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

export interface OidcIssuer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
}

/** The provider was reached and describes itself under another issuer. */
export class IssuerDiffersError extends Error {
  override readonly name = 'IssuerDiffersError';
}

function bodyFrom(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('a body of a kind that is not sent here');
}

/** `fetch` for openid-client. Redirects are answered, not followed, as it asks for. */
function fetchThrough(
  outgoing: Outgoing,
  onReached: (reached: readonly Reached[]) => void,
): oidc.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const sent = bodyFrom(body);
    const answer = await requestOutgoing(outgoing, {
      url,
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(sent === undefined ? {} : { body: sent }),
      ...(signal ? { signal } : {}),
      timeMs: CALL_MS,
      maxBytes: MAX_BYTES,
    });
    onReached(answer.reached);
    const isEmpty = answer.status === 204 || answer.status === 205 || answer.status === 304;
    return new Response(isEmpty ? null : answer.body, { status: answer.status, headers: answer.headers });
  };
}

/**
 * Reads the provider's own description. Throws IssuerDiffersError when it is that of another issuer, and OutgoingError
 * for everything else that goes wrong, also when what answers is no provider.
 */
export async function discoverOidc(
  outgoing: Outgoing,
  { issuer, clientId, clientSecret }: OidcIssuer,
): Promise<{ readonly configuration: oidc.Configuration; readonly reached: readonly Reached[] }> {
  const url = new URL(issuer);
  const all: Reached[] = [];
  try {
    const configuration = await oidc.discovery(url, clientId, clientSecret ?? undefined, undefined, {
      timeout: CALL_MS / 1_000,
      [oidc.customFetch]: fetchThrough(outgoing, (reached) => all.push(...reached)),
      // Whether plain HTTP may be spoken to an address is decided by `outgoing`.
      ...(url.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : {}),
    });
    return { configuration, reached: all };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    if (code === ISSUER_DIFFERS) throw new IssuerDiffersError();
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const cause = (error as Error).cause;
    if (cause instanceof OutgoingError) throw cause;
    const host = url.hostname;
    throw new OutgoingError({ host, port, address: all.at(-1)?.address ?? '', reason: String(message) });
  }
}
