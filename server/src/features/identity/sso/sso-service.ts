import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type ServiceProvider, type SignInAnswer, type SsoKind, say } from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing-connections.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { AuditService } from '../audit/audit-service.ts';
import { withOutgoingTrail } from '../audit/outgoing-trail.ts';
import type { AuthService } from '../sign-in/auth-service.ts';
import type { Visitor } from '../sign-in/session-service.ts';
import { type OidcState, oidcLogoutAddress, oidcSignInAddress, readOidcAnswer } from './oidc-flow.ts';
import { readSamlAnswer, readSamlLogout, samlLogoutAddress, samlSignInAddress } from './saml-flow.ts';
import { signingKeyOf } from './signing-key.ts';
import { SsoRefusal } from './sso-refusal.ts';
import {
  addRequest,
  addTicket,
  endSessionsOf,
  findMember,
  findOrganizationOf,
  hashOf,
  hasRequest,
  organizationOf,
  type Provider,
  readProvider,
  readSubject,
  type SsoDb,
  saveSubject,
  takeRequest,
  takeTicket,
} from './sso-store.ts';

// A sign-in through an identity provider, from the sign-in page to the session. It is bound to one browser by a
// cookie: an answer or a token that another browser brings is worth nothing, so nobody can be signed in as another.

const REQUEST_MS = 10 * 60_000;
const TICKET_MS = 2 * 60_000;
/** A token that never is one: the page says that the sign-in could not be used. */
const REFUSED = 'refused';

export interface SsoDeps {
  readonly db: SsoDb;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly log: Logger;
  readonly auth: AuthService;
  readonly outgoing: Outgoing;
}

/** The addresses of this service for an organization, as the browser at hand reaches them. */
type ServiceOf = (orgId: string) => ServiceProvider;

export interface SsoService {
  /** Begins at the sign-in page. Throws AppError `not-authorised` where there is no single sign-on. */
  begin(
    email: string,
    serviceOf: ServiceOf,
    source: string,
  ): Promise<{ redirect_url: string; cookie: string }>;
  /** The answer of a SAML provider; the token with which the browser goes on. Never throws for a bad answer. */
  takeSaml(orgId: string, answer: string, serviceOf: ServiceOf, source: string): Promise<string>;
  /** The same of OpenID Connect, whose answer stands in the query. */
  takeOidc(orgId: string, query: string, serviceOf: ServiceOf, source: string): Promise<string>;
  /** Exchanges the token for a session or a second step. */
  exchange(token: string, cookie: string | null, visitor: Visitor): Promise<SignInAnswer>;
  /** Ends the session; answers where to sign out at the provider. */
  logout(caller: Caller, serviceOf: ServiceOf, source: string): Promise<string | null>;
  /** A logout message of a SAML provider; answers where the browser goes, null for the sign-in page. */
  takeLogout(orgId: string, query: string, serviceOf: ServiceOf, source: string): Promise<string | null>;
}

const NO_SSO = new AppError('sign-in-refused', say('sso.notSetUp'));
const NO_ANSWER = new AppError('unavailable', say('sso.providerSilent'));
const WORTHLESS = new AppError('sign-in-refused', say('sso.expired'));

interface Member {
  readonly email: string;
  readonly nameId: string;
  readonly nameFormat?: string | null;
  readonly sessionIndex?: string | null;
}

export function createSsoService(deps: SsoDeps): SsoService {
  return bindDeps(deps, { begin, takeSaml, takeOidc, exchange, logout, takeLogout });
}

async function samlDeps(
  deps: SsoDeps,
  provider: Extract<Provider, { kind: 'saml' }>,
  service: ServiceProvider,
  browserHash: Buffer,
) {
  const { db, secrets, clock } = deps;
  return {
    provider: provider.saml,
    service,
    key: await signingKeyOf(db, secrets, clock.now()),
    remember: (requestId: string) => remember(deps, provider, requestId, browserHash, null),
    isOurs: (requestId: string) => hasRequest(db, requestId, clock.now()),
  };
}

function oidcDeps(
  { outgoing }: SsoDeps,
  provider: Extract<Provider, { kind: 'oidc' }>,
  service: ServiceProvider,
) {
  return {
    outgoing,
    provider: provider.oidc,
    clientSecret: provider.clientSecret,
    service,
  };
}

function remember(
  deps: SsoDeps,
  provider: Provider,
  requestId: string,
  browserHash: Buffer,
  state: OidcState | null,
) {
  const now = deps.clock.now();
  return addRequest(
    deps.db,
    {
      request_id: requestId,
      org_id: provider.orgId,
      kind: provider.kind,
      browser_hash: browserHash,
      sealed_state: state && deps.secrets.seal(JSON.stringify(state), `sso state ${requestId}`),
      expires_at: now + REQUEST_MS,
    },
    now,
  );
}

async function providerOf(deps: SsoDeps, orgId: string, kind: SsoKind): Promise<Provider> {
  const provider = await readProvider(deps.db, deps.secrets, orgId);
  if (provider?.kind !== kind) throw new SsoRefusal('the organization has no such provider');
  return provider;
}

/** The token for somebody whom the provider has proved, in the browser that began. */
async function ticketFor(
  deps: SsoDeps,
  orgId: string,
  kind: SsoKind,
  member: Member,
  browserHash: Buffer,
): Promise<string> {
  const { db, clock } = deps;
  const userId = await findMember(db, orgId, member.email);
  if (!userId) throw new SsoRefusal('nobody of the organization has this address');
  const now = clock.now();
  await saveSubject(db, {
    user_id: userId,
    org_id: orgId,
    kind,
    name_id: member.nameId,
    name_format: member.nameFormat ?? null,
    session_index: member.sessionIndex ?? null,
    seen_at: now,
  });
  const token = randomBytes(32).toString('base64url');
  const ticket = { token_hash: hashOf(token), user_id: userId, kind, browser_hash: browserHash };
  await addTicket(db, { ...ticket, expires_at: now + TICKET_MS }, now);
  return token;
}

/** Runs the reading of an answer; a bad one is written down and gives the token that is none. */
async function guarded(
  deps: SsoDeps,
  orgId: string,
  source: string,
  work: () => Promise<string>,
): Promise<string> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown';
    deps.log.warn({ orgId, reason }, 'an answer of an identity provider was refused');
    // Only an organization with a provider has it in its trail: the id stands in an address that anybody can call.
    const isKnown = (await readProvider(deps.db, deps.secrets, orgId)) !== null;
    await deps.audit.recordOften({
      action: 'login.failed',
      who: null,
      source,
      entity: 'single sign-on',
      ...(isKnown ? { orgId } : {}),
      details: { orgId, reason },
    });
    return REFUSED;
  }
}

async function begin(
  deps: SsoDeps,
  email: string,
  serviceOf: ServiceOf,
  source: string,
): Promise<{ redirect_url: string; cookie: string }> {
  const orgId = await findOrganizationOf(deps.db, email);
  const provider = orgId === null ? null : await readProvider(deps.db, deps.secrets, orgId);
  if (!provider) throw NO_SSO;
  const cookie = randomBytes(32).toString('base64url');
  const service = serviceOf(provider.orgId);
  if (provider.kind === 'saml') {
    const redirect_url = await samlSignInAddress(await samlDeps(deps, provider, service, hashOf(cookie)));
    return { redirect_url, cookie };
  }
  const asked = oidcDeps(deps, provider, service);
  const { address, requestId, state } = await withOutgoingTrail(
    deps,
    { who: null, source, orgId: provider.orgId, purpose: 'sign-in by OpenID Connect' },
    () => oidcSignInAddress(asked, email),
    () => {
      throw NO_ANSWER;
    },
  );
  await remember(deps, provider, requestId, hashOf(cookie), state);
  return { redirect_url: address, cookie };
}

function takeSaml(
  deps: SsoDeps,
  orgId: string,
  answer: string,
  serviceOf: ServiceOf,
  source: string,
): Promise<string> {
  return guarded(deps, orgId, source, async () => {
    const provider = await providerOf(deps, orgId, 'saml');
    if (provider.kind !== 'saml') throw new SsoRefusal('not a SAML provider');
    const read = await samlDeps(deps, provider, serviceOf(orgId), Buffer.alloc(0));
    const { subject, requestId } = await readSamlAnswer(read, answer);
    const request = await takeRequest(deps.db, { id: requestId, orgId, kind: 'saml' }, deps.clock.now());
    if (!request) throw new SsoRefusal('the request was answered before');
    return ticketFor(deps, orgId, 'saml', subject, request.browser_hash);
  });
}

function takeOidc(
  deps: SsoDeps,
  orgId: string,
  query: string,
  serviceOf: ServiceOf,
  source: string,
): Promise<string> {
  const { db, clock, secrets, outgoing } = deps;
  return guarded(deps, orgId, source, async () => {
    const provider = await providerOf(deps, orgId, 'oidc');
    if (provider.kind !== 'oidc') throw new SsoRefusal('not an OpenID Connect provider');
    const requestId = new URLSearchParams(query).get('state') ?? '';
    const request = await takeRequest(db, { id: requestId, orgId, kind: 'oidc' }, clock.now());
    if (!request?.sealed_state) throw new SsoRefusal('the answer belongs to no request');
    const opened = secrets.open(request.sealed_state, `sso state ${requestId}`);
    const state = JSON.parse(opened) as OidcState;
    const member = await outgoing.onBehalfOf(orgId, () =>
      readOidcAnswer(oidcDeps(deps, provider, serviceOf(orgId)), query, requestId, state),
    );
    return ticketFor(deps, orgId, 'oidc', member, request.browser_hash);
  });
}

async function exchange(
  deps: SsoDeps,
  token: string,
  cookie: string | null,
  visitor: Visitor,
): Promise<SignInAnswer> {
  const ticket = await takeTicket(deps.db, token, deps.clock.now());
  if (!ticket || cookie === null || !timingSafeEqual(ticket.browser_hash, hashOf(cookie))) {
    const orgId = ticket ? await organizationOf(deps.db, ticket.user_id) : undefined;
    await deps.audit.recordOften({
      action: 'login.failed',
      who: null,
      source: visitor.source,
      entity: 'single sign-on',
      ...(orgId ? { orgId } : {}),
      details: { reason: ticket ? 'another browser' : 'expired or used before' },
    });
    throw WORTHLESS;
  }
  return deps.auth.beginProved(ticket.user_id, ticket.kind, visitor);
}

async function logout(
  deps: SsoDeps,
  caller: Caller,
  serviceOf: ServiceOf,
  source: string,
): Promise<string | null> {
  const subject = await readSubject(deps.db, caller.userId);
  await deps.auth.endSession(caller.ssid, source);
  const provider = subject && (await readProvider(deps.db, deps.secrets, subject.org_id));
  if (!subject || provider?.kind !== subject.kind) return null;
  const service = serviceOf(subject.org_id);
  if (provider.kind === 'oidc') {
    return oidcLogoutAddress(oidcDeps(deps, provider, service)).catch(() => null);
  }
  return samlLogoutAddress(await samlDeps(deps, provider, service, Buffer.alloc(32)), {
    nameId: subject.name_id,
    nameFormat: subject.name_format,
    sessionIndex: subject.session_index,
  });
}

async function takeLogout(
  deps: SsoDeps,
  orgId: string,
  query: string,
  serviceOf: ServiceOf,
  source: string,
): Promise<string | null> {
  let next: string | null = null;
  await guarded(deps, orgId, source, async () => {
    const provider = await providerOf(deps, orgId, 'saml');
    if (provider.kind !== 'saml') throw new SsoRefusal('not a SAML provider');
    const read = await samlDeps(deps, provider, serviceOf(orgId), Buffer.alloc(0));
    const logout = await readSamlLogout(read, query);
    if (!logout) return '';
    await deps.db.transaction().execute(async (trx) => {
      const details = { ended: await endSessionsOf(trx, orgId, logout.nameId), by: 'identity provider' };
      const act = { action: 'logout', who: null, source, orgId, entity: logout.nameId };
      await deps.audit.record({ ...act, details }, trx);
    });
    next = logout.next;
    return '';
  });
  return next;
}
