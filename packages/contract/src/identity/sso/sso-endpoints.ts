import { z } from 'zod';
import { ALL_ROOTS } from '../../access/role-tags.ts';
import { endpoint } from '../../envelope/endpoint.ts';
import { signInAnswerSchema } from '../sign-in/second-factor.ts';
import { typedAddress } from '../sign-in/typed-address.ts';

// Signing in through the identity provider of one's organization, by SAML 2.0 or OpenID Connect. The protocols
// themselves run through redirects of the browser below /lc/sso/; both end at `/auth/sso/{token}`.

export const SSO_KINDS = ['saml', 'oidc'] as const;
export type SsoKind = (typeof SSO_KINDS)[number];

export const beginSso = endpoint({
  name: 'sso.begin',
  requirement: 'C005',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/users/saml/login',
  summary:
    'Where the browser goes to sign in at the identity provider of this mail domain, SAML or OpenID Connect.',
  input: z.object({ emailId: typedAddress }),
  output: z.object({ redirect_url: z.string() }),
  access: { kind: 'public' },
});

export const verifySsoToken = endpoint({
  name: 'sso.verifyToken',
  requirement: 'C006',
  audit: 'change',
  method: 'GET',
  path: '/lc/users/verify-sso-token/:token',
  summary: 'Exchanges the token that single sign-on ended with, once and in the same browser, for a session.',
  input: z.object({}),
  output: signInAnswerSchema,
  access: { kind: 'public' },
});

export const endSso = endpoint({
  name: 'sso.end',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/sso/logout',
  summary:
    'Ends the session; answers where the browser goes to sign out at the identity provider, null for nowhere.',
  input: z.object({}),
  output: z.object({ redirect_url: z.string().nullable() }),
  access: { kind: 'session', beforeAgreements: true },
});

const httpsAddress = z.url({ protocol: /^https?$/ }).max(2000);

/** What the identity provider says of itself, by its metadata or typed. */
export const samlProviderSchema = z.object({
  entity_id: z.string().trim().min(1).max(1024),
  sso_url: httpsAddress,
  /** Empty: the provider has no logout. */
  slo_url: z.union([httpsAddress, z.literal('')]).default(''),
  /** PEM or bare base64; several while a new one is rolled in. */
  certificates: z.array(z.string().min(100).max(20_000)).min(1).max(10),
  /** Where the metadata was read, to read it again; empty when it was pasted or typed. */
  metadata_url: z.union([httpsAddress, z.literal('')]).default(''),
});
export type SamlProvider = z.output<typeof samlProviderSchema>;

export const oidcProviderSchema = z.object({
  issuer: httpsAddress,
  client_id: z.string().trim().min(1).max(512),
  scopes: z.string().trim().max(500).default('openid email profile'),
});
export type OidcProvider = z.output<typeof oidcProviderSchema>;

/** What the identity provider has to know of us. */
export const serviceProviderSchema = z.object({
  entity_id: z.string(),
  acs_url: z.string(),
  slo_url: z.string(),
  metadata_url: z.string(),
  redirect_uri: z.string(),
  post_logout_uri: z.string(),
});
export type ServiceProvider = z.output<typeof serviceProviderSchema>;

export const readSsoSettings = endpoint({
  name: 'sso.readSettings',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/organization/:orgId/sso',
  summary: 'The identity provider of an organization, and what it has to know of this service.',
  input: z.object({}),
  output: z.object({
    kind: z.enum(SSO_KINDS).nullable(),
    saml: samlProviderSchema.nullable(),
    oidc: oidcProviderSchema.extend({ has_secret: z.boolean() }).nullable(),
    service: serviceProviderSchema,
  }),
  access: { kind: 'roles', in: 'platform', tags: ['org-admin', ...ALL_ROOTS] },
});

export const saveSsoSettings = endpoint({
  name: 'sso.saveSettings',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/organization/:orgId/sso',
  summary:
    'Sets the identity provider of an organization: SAML by its metadata document, its address or by hand, or OpenID Connect; null takes it away.',
  input: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('saml'),
      /** The metadata document of the provider; then `saml` is read from it. */
      metadata: z.string().max(500_000).optional(),
      /** Where the provider publishes it; read once, now. */
      metadata_url: httpsAddress.optional(),
      saml: samlProviderSchema.optional(),
    }),
    z.object({
      kind: z.literal('oidc'),
      oidc: oidcProviderSchema.extend({
        /** Absent: the secret that is stored stays, for the same issuer and client. */
        client_secret: z.string().max(1024).optional(),
      }),
    }),
    z.object({ kind: z.literal('none') }),
  ]),
  output: z.object({ kind: z.enum(SSO_KINDS).nullable() }),
  access: { kind: 'roles', in: 'platform', tags: ['org-admin', 'root', 'root-init'] },
});
