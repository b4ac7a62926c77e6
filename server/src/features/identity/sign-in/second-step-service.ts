import { randomInt, timingSafeEqual } from 'node:crypto';
import { type OtpChallenge, type OtpMethod, type SignInMethod, say, type UserAccess } from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { MailService } from '../../mail/mail-service.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { isKnownAddress, type PersonRow, readPerson } from './access-store.ts';
import { authMail } from './auth-mails.ts';
import { type AttemptOutcome, attemptOrNote, noteFailedSignIn } from './failed-sign-in.ts';
import type { LoginGuard } from './login-guard.ts';
import { checkSigned, passkeysOf, signingOptions } from './passkeys.ts';
import { countRecoveryCodes, replaceRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts';
import type { SessionService, Visitor } from './session-service.ts';
import {
  CHALLENGE_MS,
  type Challenge,
  countAttempt,
  findChallenge,
  hashMailCode,
  insertChallenge,
  reserveMail,
  setNonce,
  takeChallenge,
} from './sign-in-challenge-store.ts';
import type { SecondFactor } from './sign-in-tables.ts';
import { matchTotp, newTotpSecret, totpUri } from './totp.ts';
import { keepTotp, readTotp, TOTP_PURPOSE, useTotpStep } from './totp-store.ts';
import { withUserLock } from './user-lock.ts';

// The second step of a sign-in. The first step hands over somebody whose password, directory or identity provider
// agreed; a session begins only when a code, a recovery code or a passkey agrees too. Guessing is counted per
// sign-in and per user, and only people who passed the first step get that far: nobody else can use it up.

const MAIL_PAUSE_MS = 30_000;
const MAILS = 3;
export const ISSUER = 'Tyrian';

export interface SecondStepAnswer {
  readonly otp?: string | undefined;
  readonly passkey?: Record<string, unknown> | undefined;
}

type Opened = UserAccess & { recovery_codes?: string[] };
/** The session that a right code opened; throws why there is none, which is no wrong guess. */
type Followed = () => Opened;

export interface SecondStepService {
  /** The challenge, or null when the first step is enough. */
  begin(person: PersonRow, method: SignInMethod, visitor: Visitor): Promise<OtpChallenge | null>;
  /** Opens the session. Throws AppError: `wrong-code`, `bad-input` when expired, `too-many` when locked. */
  verify(token: string, answer: SecondStepAnswer, visitor: Visitor): Promise<Opened>;
  sendMail(token: string): Promise<{ sent_to: string; expires: number; next: number | null }>;
  passkeyOptions(token: string): Promise<{ options: Record<string, unknown> }>;
}

export interface SecondStepDeps {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly guard: LoginGuard;
  readonly mail: MailService;
  readonly secrets: SecretBox;
  readonly sessions: SessionService;
  /** The one origin under which browsers use passkeys here; null when there is none. */
  readonly passkeyOrigin: () => string | null;
}

const expired = () =>
  new AppError('bad-input', say('auth.signInExpired'), {
    otp_status: 'expired',
  });
const locked = () => new AppError('too-many', say('auth.tooManyCodes'), { otp_status: 'locked' });

/** `a•••@example.org`: enough to know which mailbox to look into. */
function hidden(email: string): string {
  return email.replace(/^(.)[^@]*/, '$1•••');
}

/** Which ways a user has for the second step, and whether one is to be set up first. Null: none is needed. */
async function waysOf(
  deps: SecondStepDeps,
  person: PersonRow,
  method: SignInMethod,
): Promise<{ methods: OtpMethod[]; enrols: boolean } | null> {
  const hasTotp = (await readTotp(deps.db, person.userId)) !== null;
  const hasPasskey = (await passkeysOf(deps.db, person.userId)).length > 0;
  const isRequired = person.secondFactorAlways || person.authType === 'mfa';
  const isFederated = method === 'saml' || method === 'oidc';
  // Another identity provider has its own second factor; only the organization may ask for one more.
  if (isFederated ? !person.secondFactorAlways : !isRequired && !hasTotp && !hasPasskey) return null;
  const methods: OtpMethod[] = [];
  // What a user has set up stays good when the organization no longer offers it: to be sent back to enrolment
  // would let whoever knows the password enrol.
  if (hasTotp) methods.push('totp');
  if (hasPasskey && deps.passkeyOrigin()) methods.push('passkey');
  if (person.otpMethods.includes('mail') && (await deps.mail.isSetUp())) methods.push('mail');
  const enrols = !hasTotp && !hasPasskey && person.otpMethods.includes('totp');
  if (enrols) methods.unshift('totp');
  if (methods.length > 0) return { methods, enrols };
  if (hasPasskey) throw new AppError('unavailable', say('auth.passkeysNeedAddress'));
  throw new AppError('unavailable', say('auth.codesNeedMail'));
}

export function createSecondStepService(deps: SecondStepDeps): SecondStepService {
  return bindDeps(deps, { begin, verify, sendMail, passkeyOptions });
}

async function good(
  deps: SecondStepDeps,
  token: string,
): Promise<{ challenge: Challenge; person: PersonRow }> {
  const { db, clock, audit } = deps;
  const challenge = await findChallenge(db, token, clock.now());
  const person = challenge && (await readPerson(db, challenge.user_id));
  if (challenge && person?.enabled) return { challenge, person };
  await audit.recordOften({
    action: 'otp.failed',
    who: null,
    entity: person?.email ?? '',
    ...(person ? { orgId: person.orgId } : {}),
    details: { reason: person ? 'disabled' : 'expired or unknown' },
  });
  throw expired();
}

async function checkApp(
  deps: SecondStepDeps,
  trx: IdentityDb,
  challenge: Challenge,
  code: string,
): Promise<SecondFactor | null> {
  const { secrets, clock } = deps;
  if (challenge.sealed_secret !== null) {
    const secret = secrets.open(challenge.sealed_secret, TOTP_PURPOSE);
    const step = matchTotp(secret, code, clock.now(), 0);
    if (step === null) return null;
    const kept = { userId: challenge.user_id, sealedSecret: challenge.sealed_secret, lastStep: step };
    return (await keepTotp(trx, kept, clock.now())) ? 'totp' : null;
  }
  const totp = await readTotp(trx, challenge.user_id);
  if (!totp) return null;
  const secret = secrets.open(totp.sealed_secret, TOTP_PURPOSE);
  const step = matchTotp(secret, code, clock.now(), totp.last_step);
  return step !== null && (await useTotpStep(trx, challenge.user_id, step)) ? 'totp' : null;
}

function isMailCode(deps: SecondStepDeps, token: string, challenge: Challenge, code: string): boolean {
  if (!challenge.mail_code_hash || (challenge.mail_expires_at ?? 0) <= deps.clock.now()) return false;
  return timingSafeEqual(challenge.mail_code_hash, hashMailCode(token, code.replace(/\s/g, '')));
}

async function checkPasskey(
  deps: SecondStepDeps,
  trx: IdentityDb,
  challenge: Challenge,
  answer: Record<string, unknown>,
): Promise<SecondFactor | null> {
  const origin = deps.passkeyOrigin();
  const nonce = challenge.passkey_nonce;
  if (!origin || !nonce) return null;
  const asked = { userId: challenge.user_id, nonce, origin, now: deps.clock.now() };
  return (await checkSigned(trx, asked, answer)) ? 'passkey' : null;
}

async function check(
  deps: SecondStepDeps,
  trx: IdentityDb,
  token: string,
  challenge: Challenge,
  answer: SecondStepAnswer,
): Promise<SecondFactor | null> {
  if (answer.passkey) return checkPasskey(deps, trx, challenge, answer.passkey);
  const code = answer.otp ?? '';
  if (isMailCode(deps, token, challenge, code)) return 'mail';
  if (await takeRecoveryCode(trx, challenge.user_id, code, deps.clock.now())) return 'recovery';
  return checkApp(deps, trx, challenge, code);
}

/** Uses the code and the challenge up and opens the session, all or nothing. */
async function complete(
  deps: SecondStepDeps,
  { challenge, person }: { challenge: Challenge; person: PersonRow },
  token: string,
  answer: SecondStepAnswer,
  visitor: Visitor,
): Promise<AttemptOutcome<Followed>> {
  let isRight = false;
  const work = async (trx: IdentityDb) => {
    const secondFactor = await check(deps, trx, token, challenge, answer);
    if (secondFactor === null) return null;
    isRight = true;
    if (!(await takeChallenge(trx, challenge))) throw expired();
    const enrolled = challenge.sealed_secret !== null && secondFactor === 'totp';
    const codes = enrolled ? { recovery_codes: await replaceRecoveryCodes(trx, person.userId) } : {};
    const proof = { userId: person.userId, method: challenge.method, secondFactor };
    const access = await deps.sessions.open(proof, visitor, trx);
    const who = { userId: person.userId, name: person.name };
    const { source } = visitor;
    if (enrolled) await deps.audit.record({ action: 'mfa.enrol', who, source, orgId: person.orgId }, trx);
    return { ...access, ...codes };
  };
  try {
    const opened = await withUserLock(deps.db, person.userId, work);
    return opened ? { proved: () => opened } : { wrong: 'wrong code' };
  } catch (error) {
    if (!isRight) throw error;
    const fail = (): never => {
      throw error;
    };
    return { proved: fail };
  }
}

async function begin(
  deps: SecondStepDeps,
  person: PersonRow,
  method: SignInMethod,
  { source, userAgent }: Visitor,
): Promise<OtpChallenge | null> {
  const { secrets, clock, db, audit } = deps;
  const ways = await waysOf(deps, person, method);
  if (!ways) return null;
  const secret = ways.enrols ? newTotpSecret() : null;
  const sealedSecret = secret === null ? null : secrets.seal(secret, TOTP_PURPOSE);
  const begun = { userId: person.userId, method, source, userAgent, sealedSecret };
  const now = clock.now();
  const otp_token = await db.transaction().execute(async (trx) => {
    const made = await insertChallenge(trx, begun, now);
    const who = { userId: person.userId, name: person.name };
    const details = { method };
    await audit.record({ action: 'login.first-step', who, source, orgId: person.orgId, details }, trx);
    return made;
  });
  return {
    SSID: '',
    mfa_flag: 'enabled',
    otp_token,
    methods: ways.methods,
    enrol: secret === null ? null : { secret, uri: totpUri(secret, ISSUER, person.email) },
    recovery: (await countRecoveryCodes(db, person.userId)) > 0,
    expires: now + CHALLENGE_MS,
  };
}

async function verify(
  deps: SecondStepDeps,
  token: string,
  answer: SecondStepAnswer,
  visitor: Visitor,
): Promise<Opened> {
  const { db, audit } = deps;
  const { challenge, person } = await good(deps, token);
  const { source } = visitor;
  const who = { userId: person.userId, name: person.name };
  const failed = { action: 'otp.failed', who, entity: person.email, source, orgId: person.orgId };
  const attemptsLeft = await countAttempt(db, challenge);
  if (attemptsLeft === null) {
    await noteFailedSignIn(audit, { ...failed, reason: 'locked' });
    throw locked();
  }
  const attempt = {
    account: `otp ${person.userId}`,
    address: source,
    isKnownAddress: await isKnownAddress(db, person.userId, source),
  };
  const { proved, lock } = await attemptOrNote<Followed>(deps, attempt, failed, async () => {
    // What a passkey has signed is good for one attempt, right or wrong.
    if (answer.passkey) await setNonce(db, challenge, null);
    return complete(deps, { challenge, person }, token, answer, visitor);
  });
  if (proved === null) {
    if (attemptsLeft === 0) throw locked();
    if (lock) throw lock;
    throw new AppError('wrong-code', say('auth.wrongCode'), {
      otp_status: 'invalid',
      attempts_left: attemptsLeft,
    });
  }
  return proved();
}

async function sendMail(
  deps: SecondStepDeps,
  token: string,
): Promise<{ sent_to: string; expires: number; next: number | null }> {
  const { challenge, person } = await good(deps, token);
  if (!person.otpMethods.includes('mail')) {
    throw new AppError('bad-input', say('auth.noMailedCodes'));
  }
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const now = deps.clock.now();
  const expires = Math.min(now + CHALLENGE_MS, challenge.expires_at);
  const reserved = {
    codeHash: hashMailCode(token, code),
    expires,
    now,
    pauseMs: MAIL_PAUSE_MS,
    most: MAILS,
  };
  const sent = await deps.db.transaction().execute(async (trx) => {
    const mails = await reserveMail(trx, challenge, reserved);
    if (mails === null) throw new AppError('too-many', say('auth.waitForCode'));
    const who = { userId: person.userId, name: person.name };
    await deps.audit.record({ action: 'otp.mail', who, orgId: person.orgId, details: { mails } }, trx);
    return mails;
  });
  await deps.mail.send({
    to: person.email,
    ...authMail('code', person.locale, { code, name: person.name }),
  });
  return { sent_to: hidden(person.email), expires, next: sent < MAILS ? now + MAIL_PAUSE_MS : null };
}

async function passkeyOptions(
  deps: SecondStepDeps,
  token: string,
): Promise<{ options: Record<string, unknown> }> {
  const { challenge, person } = await good(deps, token);
  const known = await passkeysOf(deps.db, person.userId);
  const origin = deps.passkeyOrigin();
  if (known.length === 0 || !origin) throw new AppError('bad-input', say('auth.noPasskey'));
  const { options, nonce } = await signingOptions(known, origin);
  await setNonce(deps.db, challenge, nonce);
  return { options };
}
