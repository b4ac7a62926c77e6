import { X509Certificate } from 'node:crypto';
import {
  type OidcProvider,
  type OutputOf,
  type readSsoSettings,
  type SamlProvider,
  type SsoKind,
  type saveSsoSettings,
  say,
  sayOfField,
} from '@tyrian/contract';
import { AppError, notFound } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Reached } from '../../../platform/outgoing/check-target.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing-connections.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { AuditService } from '../audit/audit-service.ts';
import { withOutgoingTrail } from '../audit/outgoing-trail.ts';
import { asAccessCaller } from '../sign-in/authorizer.ts';
import { fetchMetadata } from './fetch-metadata.ts';
import { discoverProvider } from './oidc-flow.ts';
import { readProviderMetadata } from './saml-metadata.ts';
import { type Provider, readProvider, type SsoDb, saveProvider } from './sso-store.ts';

// The identity provider of an organization, as its administrator or root sets it. What is stored has been read:
// metadata parsed, certificates opened, an OpenID Connect provider discovered. Secrets are written, never read back.

type View = Omit<OutputOf<typeof readSsoSettings>, 'service'>;
type Settings = ReturnType<typeof saveSsoSettings.input.parse>;

export interface SsoSettingsService {
  read(caller: Caller, orgId: string): Promise<View>;
  save(caller: Caller, orgId: string, settings: Settings, source: string): Promise<SsoKind | null>;
}

export interface SsoSettingsDeps {
  readonly db: SsoDb;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly outgoing: Outgoing;
}

/** A provider as it will be stored, and where the server went to read it. */
interface ReadProvider {
  readonly provider: Provider | null;
  readonly reached: readonly Reached[];
}

/** A certificate as PEM; throws AppError when it is none. */
function checkedCertificate(text: string): string {
  const bare = text.replace(/-----[^-]+-----|\s+/g, '');
  const pem = `-----BEGIN CERTIFICATE-----\n${bare.replace(/.{64}(?!$)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  try {
    return new X509Certificate(pem).toString();
  } catch {
    throw new AppError('bad-input', sayOfField('certificates', say('sso.notACertificate')), {
      field: 'certificates',
    });
  }
}

async function samlOf(
  outgoing: Outgoing,
  input: Extract<Settings, { kind: 'saml' }>,
): Promise<{ readonly saml: SamlProvider; readonly reached: readonly Reached[] }> {
  const { metadata_url = '' } = input;
  const fetched = metadata_url === '' ? null : await fetchMetadata(outgoing, metadata_url);
  const metadata = fetched?.text ?? input.metadata;
  const given = metadata === undefined ? input.saml : readProviderMetadata(metadata);
  if (!given) throw new AppError('bad-input', sayOfField('metadata', say('sso.documentOrAddresses')));
  const saml = { ...given, certificates: given.certificates.map(checkedCertificate), metadata_url };
  return { saml, reached: fetched?.reached ?? [] };
}

/** The field of the form, and the one sentence for whatever went wrong on the way. */
function notReached(settings: Settings): AppError {
  const field = settings.kind === 'saml' ? 'metadata_url' : 'issuer';
  const address =
    settings.kind === 'saml' ? settings.metadata_url : settings.kind === 'oidc' && settings.oidc.issuer;
  const said = say(/^http:/i.test(address || '') ? 'outgoing.notReachedHttp' : 'outgoing.notReached');
  return new AppError('bad-input', sayOfField(field, said), { field });
}

/**
 * The address that a change makes the server ask; undefined for none. Without a password or a query: addresses that have
 * them are refused, and they may be secrets.
 */
function addressAsked(settings: Settings): string | undefined {
  const address =
    settings.kind === 'oidc' ? settings.oidc.issuer : settings.kind === 'saml' && settings.metadata_url;
  if (!address) return undefined;
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

export function createSsoSettingsService(deps: SsoSettingsDeps): SsoSettingsService {
  return bindDeps(deps, { read, save });
}

async function findOrganization(deps: SsoSettingsDeps, caller: Caller, orgId: string) {
  const { record } = asAccessCaller(caller);
  const row = await deps.db
    .selectFrom('organization')
    .select(['org_id', 'name', 'auth_type'])
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  if (!row || (!record.isRoot && record.orgId !== orgId)) throw notFound();
  return row;
}

/** A stored secret goes to the issuer and client that it was given for, never to another. */
async function secretFor(
  deps: SsoSettingsDeps,
  orgId: string,
  oidc: OidcProvider,
  given: string | undefined,
): Promise<string | null> {
  if (given !== undefined) return given === '' ? null : given;
  const stored = await readProvider(deps.db, deps.secrets, orgId);
  if (stored?.kind !== 'oidc') return null;
  if (stored.oidc.issuer === oidc.issuer && stored.oidc.client_id === oidc.client_id) {
    return stored.clientSecret;
  }
  if (stored.clientSecret === null) return null;
  throw new AppError('bad-input', sayOfField('client_secret', say('sso.secretAgain')), {
    field: 'client_secret',
  });
}

async function providerOf(deps: SsoSettingsDeps, orgId: string, settings: Settings): Promise<ReadProvider> {
  if (settings.kind === 'none') return { provider: null, reached: [] };
  if (settings.kind === 'saml') {
    const { saml, reached } = await samlOf(deps.outgoing, settings);
    return { provider: { orgId, kind: 'saml', saml }, reached };
  }
  const { client_secret, ...oidc } = settings.oidc;
  const clientSecret = await secretFor(deps, orgId, oidc, client_secret);
  const { reached } = await discoverProvider({ outgoing: deps.outgoing, provider: oidc, clientSecret });
  return { provider: { orgId, kind: 'oidc', oidc, clientSecret }, reached };
}

async function read(deps: SsoSettingsDeps, caller: Caller, orgId: string): Promise<View> {
  await findOrganization(deps, caller, orgId);
  const provider = await readProvider(deps.db, deps.secrets, orgId);
  return {
    kind: provider?.kind ?? null,
    saml: provider?.kind === 'saml' ? provider.saml : null,
    oidc: provider?.kind === 'oidc' ? { ...provider.oidc, has_secret: provider.clientSecret !== null } : null,
  };
}

async function save(
  deps: SsoSettingsDeps,
  caller: Caller,
  orgId: string,
  settings: Settings,
  source: string,
): Promise<SsoKind | null> {
  const { audit, db, secrets, clock } = deps;
  const organization = await findOrganization(deps, caller, orgId);
  const act = { who: caller, source, orgId, entity: organization.name };
  const asked = addressAsked(settings);
  // Before the server of somebody is asked, whatever comes of it.
  if (asked) await audit.record({ ...act, action: 'organization.sso.try', details: { asked } });
  const { provider, reached } = await withOutgoingTrail<ReadProvider>(
    deps,
    { who: caller, source, orgId, purpose: 'settings of single sign-on' },
    () => providerOf(deps, orgId, settings),
    () => {
      throw notReached(settings);
    },
  );
  if (!provider && organization.auth_type === 'sso') {
    throw new AppError('conflict', say('sso.inUse'));
  }
  const details = {
    ...(provider?.kind === 'saml'
      ? { kind: 'saml', entity_id: provider.saml.entity_id, sso_url: provider.saml.sso_url }
      : { kind: provider?.kind ?? 'none', issuer: provider?.oidc.issuer ?? '' }),
    reached: reached.map(({ host, port, address }) => `${host}:${port} ${address}`),
  };
  await db.transaction().execute(async (trx) => {
    await saveProvider(trx, secrets, orgId, provider, clock.now());
    await audit.record({ ...act, action: 'organization.sso', details }, trx);
  });
  return provider?.kind ?? null;
}
