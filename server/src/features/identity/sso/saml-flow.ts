import { type CacheProvider, type Profile, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { SamlProvider, ServiceProvider } from '@tyrian/contract';
import { checkBearer, refuseWeakSignatures } from './check-assertion.ts';
import { hasDocumentType } from './parse-xml.ts';
import type { SigningKey } from './signing-key.ts';
import { SsoRefusal } from './sso-refusal.ts';

// The messages of SAML 2.0: requests signed by us, answers whose assertion the provider has signed. node-saml reads
// only what the signature covers, so that an assertion wrapped around a signed one is not read.

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
/** How far the clocks of the two may differ. */
const SKEW_MS = 60_000;
/** An assertion is good for so long after it was made, whatever it says itself. */
const ASSERTION_MS = 10 * 60_000;
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];

/** Who somebody is at the provider. */
export interface SamlSubject {
  readonly email: string;
  readonly nameId: string;
  readonly nameFormat: string | null;
  readonly sessionIndex: string | null;
}

interface SamlDeps {
  readonly provider: SamlProvider;
  readonly service: ServiceProvider;
  readonly key: SigningKey;
  /** Remembers a request of ours by its id. */
  readonly remember: (requestId: string) => Promise<void>;
  readonly isOurs: (requestId: string) => Promise<boolean>;
}

function clientOf({ provider, service, key, remember, isOurs }: SamlDeps): SAML {
  const requests: CacheProvider = {
    saveAsync: async (id, value) => {
      await remember(id);
      return { value, createdAt: Date.now() };
    },
    // A request is used up where its answer is exchanged, in one statement with the check.
    getAsync: async (id) => ((await isOurs(id)) ? new Date().toISOString() : null),
    removeAsync: async (id) => id,
  };
  return new SAML({
    issuer: service.entity_id,
    audience: service.entity_id,
    callbackUrl: service.acs_url,
    entryPoint: provider.sso_url,
    idpIssuer: provider.entity_id,
    idpCert: [...provider.certificates],
    privateKey: key.privateKey,
    publicCert: key.certificate,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    wantAssertionsSigned: true,
    // The assertion is what counts; many providers sign it alone.
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: requests,
    identifierFormat: EMAIL_FORMAT,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: SKEW_MS,
    maxAssertionAgeMs: ASSERTION_MS,
    logoutUrl: provider.slo_url || provider.sso_url,
    logoutCallbackUrl: service.slo_url,
  });
}

/** The address at the provider to which the browser is sent to sign in. */
export function samlSignInAddress(deps: SamlDeps): Promise<string> {
  return clientOf(deps).getAuthorizeUrlAsync('', undefined, {});
}

/** The address at the provider at which the browser signs out; null when the provider has no logout. */
export async function samlLogoutAddress(
  deps: SamlDeps,
  subject: Omit<SamlSubject, 'email'>,
): Promise<string | null> {
  if (deps.provider.slo_url === '') return null;
  const profile: Profile = {
    issuer: deps.provider.entity_id,
    nameID: subject.nameId,
    nameIDFormat: subject.nameFormat ?? EMAIL_FORMAT,
    ...(subject.sessionIndex ? { sessionIndex: subject.sessionIndex } : {}),
  };
  return clientOf(deps).getLogoutUrlAsync(profile, '', {});
}

/**
 * Reads the answer that the browser brought. Returns who it is and the request it answers.
 * Throws SsoRefusal or an error of node-saml when anything about it is not right.
 */
export async function readSamlAnswer(
  deps: SamlDeps,
  encoded: string,
): Promise<{ subject: SamlSubject; requestId: string }> {
  const xml = Buffer.from(encoded, 'base64').toString('utf8');
  if (hasDocumentType(xml)) throw new SsoRefusal('the answer has a document type');
  refuseWeakSignatures(xml);
  const { profile } = await clientOf(deps).validatePostResponseAsync({ SAMLResponse: encoded });
  if (!profile) throw new SsoRefusal('the answer has no assertion');
  if (profile.issuer !== deps.provider.entity_id) throw new SsoRefusal('another provider made the assertion');
  const requestId = profile.inResponseTo;
  if (typeof requestId !== 'string') throw new SsoRefusal('the answer belongs to no request');
  checkBearer(profile.getAssertionXml?.() ?? '', {
    recipient: deps.service.acs_url,
    requestId,
    // The time of the machine, as the library takes it for every other limit of the assertion.
    now: Date.now(),
    skewMs: SKEW_MS,
  });
  return { subject: subjectOf(profile), requestId };
}

function subjectOf(profile: Profile): SamlSubject {
  const attribute = EMAIL_ATTRIBUTES.flatMap((name) => profile[name]).find(
    (value): value is string => typeof value === 'string' && value.includes('@'),
  );
  const email = attribute ?? profile.nameID;
  if (!email?.includes('@')) throw new SsoRefusal('the assertion names no email address');
  return {
    email,
    nameId: profile.nameID,
    nameFormat: profile.nameIDFormat ?? null,
    sessionIndex: profile.sessionIndex ?? null,
  };
}

const LOGOUT_PARAMETERS = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'];

/**
 * The parameters of a logout message as its signature covers them. Anything twice or unknown is refused: which of
 * two is signed and which is read must never be a question.
 */
function logoutParameters(query: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of query.split('&')) {
    const [name = '', value = ''] = part.split('=', 2);
    if (!LOGOUT_PARAMETERS.includes(name) || name in found) throw new SsoRefusal('unexpected parameters');
    found[name] = decodeURIComponent(value.replaceAll('+', ' '));
  }
  if (!found.Signature || !found.SigAlg) throw new SsoRefusal('the logout message is not signed');
  if (!/sha(256|384|512)$/i.test(found.SigAlg)) throw new SsoRefusal('the signature is of a weak kind');
  return found;
}

/**
 * Reads a logout message of the provider. A request answers whom it ends and where the browser goes then;
 * an answer to our own request gives null. Throws like `readSamlAnswer`.
 */
export async function readSamlLogout(
  deps: SamlDeps,
  query: string,
): Promise<{ readonly nameId: string; readonly next: string } | null> {
  const found = logoutParameters(query);
  const client = clientOf(deps);
  const { profile, loggedOut } = await client.validateRedirectAsync(found, query);
  if (found.SAMLResponse !== undefined && loggedOut) return null;
  if (!profile?.nameID) throw new SsoRefusal('the logout request names nobody');
  if (profile.issuer !== deps.provider.entity_id)
    throw new SsoRefusal('another provider asks for the logout');
  const next = await client.getLogoutResponseUrlAsync(profile, found.RelayState ?? '', {}, true);
  return { nameId: profile.nameID, next };
}
