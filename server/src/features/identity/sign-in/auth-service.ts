import {
  AGREEMENT_VERSIONS,
  type Agreement,
  type SignInAnswer,
  say,
  type UserAccess,
} from '@tyrian/contract';
import { type QueryExecutorProvider, sql } from 'kysely';
import { AppError, notFound } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller, SessionUse } from '../../../platform/http/caller.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing-connections.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { AuditService } from '../audit/audit-service.ts';
import { withOutgoingTrail } from '../audit/outgoing-trail.ts';
import type { IdentityDb } from '../identity-tables.ts';
import type { AccessCaller } from './access-caller.ts';
import { hashSsid, isKnownAddress, type PersonRow, readAccount, readPerson } from './access-store.ts';
import { attemptOrNote, type FailedSignIn, noteFailedSignIn } from './failed-sign-in.ts';
import { directoryTakes, directoryUnavailable, readDirectory } from './ldap-directory.ts';
import type { LoginGuard } from './login-guard.ts';
import { findMailDomain, type SignInWay } from './mail-domain-store.ts';
import { hashPassword, passwordFits } from './password-hash.ts';
import { checkNewPassword } from './password-policy.ts';
import { replacePassword } from './replace-password.ts';
import type { SecondStepService } from './second-step-service.ts';
import type { SessionService, Visitor } from './session-service.ts';

// The first step of a sign-in: an address and a password, checked here or by a directory, or somebody whom another
// identity provider has proved. What comes out is a session, or the challenge of a second step.

export interface AuthService {
  /** How addresses of this mail domain sign in; the same whether or not there is such an account. */
  init(email: string): Promise<SignInWay & { redirect_url: null }>;
  /** First step. Throws AppError `not-authorised` for any wrong sign-in, `too-many` when locked. */
  login(
    email: string,
    password: string,
    source: string,
    visitor?: Omit<Visitor, 'source'>,
  ): Promise<SignInAnswer>;
  /**
   * Goes on with a user whom another identity provider has proved: a session, or a second step where the organization
   * asks for one. Throws AppError `not-authorised` when the user or the organization is disabled or unknown.
   */
  beginProved(userId: string, method: 'saml' | 'oidc', visitor: Visitor): Promise<SignInAnswer>;
  /** The caller of a session that is still good, else null. */
  findCaller(ssid: string, how?: SessionUse): Promise<AccessCaller | null>;
  /** Ends a session; an unknown one is no error. */
  endSession(ssid: string, source: string): Promise<void>;
  /** The record as it is now. */
  accessOf(caller: Pick<Caller, 'userId' | 'ssid'>): Promise<UserAccess>;
  /** Returns how many other sessions ended. */
  changePassword(caller: Caller, old: string, next: string, source: string): Promise<number>;
  /** Whether changes of the caller's own sign-in ask for the password: not where another identity provider signs in. */
  asksPassword(caller: Caller): Promise<boolean>;
  /** Throws AppError `bad-input` unless the password is the caller's, where one is asked for. */
  confirmPassword(caller: Caller, password: string, source: string): Promise<void>;
  /** Accepts the version in force; once accepted it stays so. */
  accept(caller: Caller, what: Agreement, source: string): Promise<void>;
  /** `trx`: the transaction of the change that this is a part of. */
  saveLocale(caller: Caller, locale: UserAccess['locale'], trx: QueryExecutorProvider): Promise<void>;
}

export interface AuthDeps {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly guard: LoginGuard;
  readonly audit: AuditService;
  readonly secrets: SecretBox;
  readonly sessions: SessionService;
  readonly secondStep: SecondStepService;
  readonly outgoing: Outgoing;
}

const refused = () => new AppError('sign-in-refused', say('auth.wrongPassword'));

/** Whether the password is right, by the hash kept here or by the directory of the organization. */
async function isProved(
  deps: Pick<AuthDeps, 'db' | 'secrets' | 'audit' | 'outgoing'>,
  way: { readonly orgId: string; readonly auth_type: string } | null,
  person: PersonRow | null,
  given: { readonly email: string; readonly password: string; readonly source: string },
): Promise<boolean> {
  const { email, password, source } = given;
  const isHere = way === null || way.auth_type === 'standard' || way.auth_type === 'mfa';
  // The same work is done for everybody, so that the time tells nothing.
  const fits = await passwordFits(isHere ? (person?.passwordHash ?? null) : null, password);
  if (way?.auth_type !== 'ldap') return fits;
  const directory = await readDirectory(deps.db, deps.secrets, way.orgId);
  if (directory === null) return false;
  return withOutgoingTrail(
    deps,
    { who: null, source, orgId: way.orgId, purpose: 'sign-in by the directory' },
    () => directoryTakes(deps.outgoing, directory, email, password),
    () => {
      throw directoryUnavailable();
    },
  );
}

export function createAuthService(deps: AuthDeps): AuthService {
  const { sessions } = deps;
  return {
    findCaller: sessions.findCaller,
    endSession: sessions.end,
    accessOf: sessions.accessOf,
    saveLocale,
    ...bindDeps(deps, { init, login, beginProved, changePassword, asksPassword, confirmPassword, accept }),
  };
}

async function refuse(deps: AuthDeps, failed: FailedSignIn): Promise<never> {
  await noteFailedSignIn(deps.audit, failed);
  throw refused();
}

async function goOn(
  deps: AuthDeps,
  person: PersonRow,
  method: 'password' | 'ldap' | 'saml' | 'oidc',
  visitor: Visitor,
): Promise<SignInAnswer> {
  const challenge = await deps.secondStep.begin(person, method, visitor);
  return challenge ?? deps.sessions.open({ userId: person.userId, method, secondFactor: null }, visitor);
}

async function ownPerson(deps: AuthDeps, caller: Caller): Promise<PersonRow> {
  const person = await readPerson(deps.db, caller.userId);
  if (!person) throw new AppError('invalid-session', say('session.userInvalid'));
  return person;
}

async function checkOwnPassword(
  deps: AuthDeps,
  caller: Caller,
  password: string,
  source: string,
  refusal: AppError,
): Promise<PersonRow> {
  const person = await ownPerson(deps, caller);
  const attempt = {
    account: `change ${caller.userId}`,
    address: source,
    isKnownAddress: await isKnownAddress(deps.db, caller.userId, source),
  };
  const { email, orgId } = person;
  const failed = { action: 'password.failed', who: caller, entity: email, source, orgId };
  const way = { orgId, auth_type: person.authType };
  const given = { email, password, source };
  const { proved, lock } = await attemptOrNote<PersonRow>(deps, attempt, failed, async () =>
    (await isProved(deps, way, person, given)) ? { proved: person } : { wrong: 'wrong password' },
  );
  if (!proved) throw lock ?? refusal;
  return proved;
}

async function init({ db }: AuthDeps, email: string): Promise<SignInWay & { redirect_url: null }> {
  const way = await findMailDomain(db, email);
  return {
    auth_type: way?.auth_type ?? 'standard',
    sso_kind: way?.sso_kind ?? null,
    redirect_url: null,
  };
}

async function login(
  deps: AuthDeps,
  typedEmail: string,
  password: string,
  source: string,
  rest: Omit<Visitor, 'source'> = { userAgent: '' },
): Promise<SignInAnswer> {
  const email = typedEmail.trim().toLowerCase();
  const { person, isKnownAddress: known } = await readAccount(deps.db, email, source);
  // Looked for also where it is not needed, so that the time tells nothing.
  const claimed = await findMailDomain(deps.db, email);
  const way = person ? { orgId: person.orgId, auth_type: person.authType } : claimed;
  const attempt = { account: email, address: source, isKnownAddress: known };
  const failed = { entity: email, source, orgId: way?.orgId };
  const { proved, lock } = await attemptOrNote<PersonRow>(deps, attempt, failed, async () => {
    const fits = await isProved(deps, way, person, { email, password, source });
    if (!person) return { wrong: 'unknown account' };
    if (!fits) return { wrong: 'wrong password' };
    return person.enabled ? { proved: person } : { wrong: 'disabled' };
  });
  if (!proved) throw lock ?? refused();
  return goOn(deps, proved, proved.authType === 'ldap' ? 'ldap' : 'password', { source, ...rest });
}

async function beginProved(
  deps: AuthDeps,
  userId: string,
  method: 'saml' | 'oidc',
  visitor: Visitor,
): Promise<SignInAnswer> {
  const person = await readPerson(deps.db, userId);
  if (!person?.enabled) {
    const reason = person ? 'disabled' : 'unknown account';
    const { source } = visitor;
    return refuse(deps, { entity: person?.email ?? userId, source, orgId: person?.orgId, reason });
  }
  return goOn(deps, person, method, visitor);
}

async function changePassword(
  deps: AuthDeps,
  caller: Caller,
  old: string,
  next: string,
  source: string,
): Promise<number> {
  const { db, clock, audit } = deps;
  const { authType } = await ownPerson(deps, caller);
  if (authType === 'ldap' || authType === 'sso') {
    throw new AppError('bad-input', say('passwords.keptElsewhere'));
  }
  const wrong = new AppError('bad-input', say('passwords.oldIsWrong'), { field: 'old_password' });
  const person = await checkOwnPassword(deps, caller, old, source, wrong);
  await checkNewPassword(db, caller.userId, next, 'new_password');
  const passwordHash = await hashPassword(next);
  return db.transaction().execute(async (trx) => {
    const ended = await replacePassword(trx, {
      userId: caller.userId,
      passwordHash,
      now: clock.now(),
      keepSession: hashSsid(caller.ssid),
    });
    await audit.record({ action: 'password.change', who: caller, source, orgId: person.orgId }, trx);
    return ended;
  });
}

async function asksPassword(deps: AuthDeps, caller: Caller): Promise<boolean> {
  return (await ownPerson(deps, caller)).authType !== 'sso';
}

async function confirmPassword(
  deps: AuthDeps,
  caller: Caller,
  password: string,
  source: string,
): Promise<void> {
  if ((await ownPerson(deps, caller)).authType === 'sso') return;
  const wrong = new AppError('bad-input', say('passwords.isWrong'), { field: 'password' });
  await checkOwnPassword(deps, caller, password, source, wrong);
}

async function accept(
  { db, clock, audit }: AuthDeps,
  caller: Caller,
  what: Agreement,
  source: string,
): Promise<void> {
  const version = AGREEMENT_VERSIONS[what];
  await db.transaction().execute(async (trx) => {
    const done = await trx
      .updateTable('person')
      .set({ [`${what}_accepted_at`]: timestamp(clock.now()), [`${what}_version`]: version })
      .where('user_id', '=', caller.userId)
      .where(`${what}_version`, '<', version)
      .executeTakeFirst();
    const details = { version, changed: Number(done.numUpdatedRows) };
    await audit.record({ action: `${what}.accept`, who: caller, source, details }, trx);
  });
}

async function saveLocale(
  caller: Caller,
  locale: UserAccess['locale'],
  trx: QueryExecutorProvider,
): Promise<void> {
  const { rows } = await sql`
        update person set locale = ${locale} where user_id = ${caller.userId} returning user_id`.execute(trx);
  if (rows.length === 0) throw notFound();
}
