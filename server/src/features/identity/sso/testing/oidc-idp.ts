import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

// An OpenID Connect provider on this machine, on oidc-provider. Its page signs in whoever types an address.

export interface OidcIdp {
  readonly issuer: string;
  close(): Promise<void>;
}

interface OidcClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uris: string[];
  readonly post_logout_redirect_uris: string[];
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'));
}

/** Starts a provider; addresses beginning with `unverified` are not vouched for. */
export async function startOidcIdp(client: OidcClient): Promise<OidcIdp> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ ...client, grant_types: ['authorization_code'], response_types: ['code'] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of the test provider'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified') }),
    }),
    // Whoever signs in has agreed: a page that asks would prove nothing more.
    loadExistingGrant: async (context) => {
      const grant = new context.oidc.provider.Grant({
        accountId: context.oidc.session?.accountId ?? '',
        clientId: context.oidc.client?.clientId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) {
      void answer(request, response);
      return;
    }
    if (request.method === 'GET') {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<!doctype html><html lang="en"><title>Test provider</title><main><h1>Test provider</h1><form method="post"><label>Address <input name="email"></label><button>Go on</button></form></main></html>`,
        );
      return;
    }
    void bodyOf(request).then((body) =>
      provider.interactionFinished(request, response, { login: { accountId: body.get('email') ?? '' } }),
    );
  });
  return { issuer, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
