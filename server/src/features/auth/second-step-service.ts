import { randomInt, timingSafeEqual } from 'node:crypto';
import type { OtpChallenge, OtpMethod, SignInMethod, UserAccess } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { IdentityDb } from '../users/identity-tables.ts';
import { isKnownPlace, type PersonRow, readPerson } from './access-store.ts';
import { authMail } from './auth-mails.ts';
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

export interface SecondStepService {
  /** The challenge, or null when the first step is enough. */
  begin(person: PersonRow, method: SignInMethod, visitor: Visitor): Promise<OtpChallenge | null>;
  /** Opens the session. Throws AppError: `wrong-code`, `bad-input` when expired, `too-many` when locked. */
  verify(
    token: string,
    answer: SecondStepAnswer,
    visitor: Visitor,
  ): Promise<UserAccess & { recovery_codes?: string[] }>;
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
  new AppError('bad-input', 'the sign-in took too long or was completed; begin again', {
    otp_status: 'expired',
  });
const locked = () => new AppError('too-many', 'too many wrong codes; begin again', { otp_status: 'locked' });

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
  if (hasPasskey) throw new AppError('unavailable', 'passkeys need the public address of the console');
  throw new AppError('unavailable', 'codes are sent by mail here, but no mail server is set');
}

export function createSecondStepService(deps: SecondStepDeps): SecondStepService {
  const { db, clock, audit, guard, secrets, sessions } = deps;

  async function good(token: string): Promise<{ challenge: Challenge; person: PersonRow }> {
    const challenge = await findChallenge(db, token, clock.now());
    const person = challenge && (await readPerson(db, challenge.user_id));
    if (!challenge || !person?.enabled) throw expired();
    return { challenge, person };
  }

  async function checkApp(challenge: Challenge, code: string): Promise<SecondFactor | null> {
    if (challenge.sealed_secret !== null) {
      const secret = secrets.open(challenge.sealed_secret, TOTP_PURPOSE);
      const step = matchTotp(secret, code, clock.now(), 0);
      if (step === null) return null;
      const kept = { userId: challenge.user_id, sealedSecret: challenge.sealed_secret, lastStep: step };
      return (await keepTotp(db, kept, clock.now())) ? 'totp' : null;
    }
    const totp = await readTotp(db, challenge.user_id);
    if (!totp) return null;
    const secret = secrets.open(totp.sealed_secret, TOTP_PURPOSE);
    const step = matchTotp(secret, code, clock.now(), totp.last_step);
    return step !== null && (await useTotpStep(db, challenge.user_id, step)) ? 'totp' : null;
  }

  function isMailCode(token: string, challenge: Challenge, code: string): boolean {
    if (!challenge.mail_code_hash || (challenge.mail_expires_ms ?? 0) <= clock.now()) return false;
    return timingSafeEqual(challenge.mail_code_hash, hashMailCode(token, code.replace(/\s/g, '')));
  }

  async function checkPasskey(
    challenge: Challenge,
    answer: Record<string, unknown>,
  ): Promise<SecondFactor | null> {
    const origin = deps.passkeyOrigin();
    const nonce = challenge.passkey_nonce;
    if (!origin || !nonce) return null;
    await setNonce(db, challenge, null);
    const asked = { userId: challenge.user_id, nonce, origin, now: clock.now() };
    return (await checkSigned(db, asked, answer)) ? 'passkey' : null;
  }

  async function check(
    token: string,
    challenge: Challenge,
    answer: SecondStepAnswer,
  ): Promise<SecondFactor | null> {
    if (answer.passkey) return checkPasskey(challenge, answer.passkey);
    const code = answer.otp ?? '';
    if (isMailCode(token, challenge, code)) return 'mail';
    if (await takeRecoveryCode(db, challenge.user_id, code, clock.now())) return 'recovery';
    return checkApp(challenge, code);
  }

  return {
    begin: async (person, method, { source, userAgent }) => {
      const ways = await waysOf(deps, person, method);
      if (!ways) return null;
      const secret = ways.enrols ? newTotpSecret() : null;
      const sealedSecret = secret === null ? null : secrets.seal(secret, TOTP_PURPOSE);
      const begun = { userId: person.userId, method, source, userAgent, sealedSecret };
      const now = clock.now();
      return {
        SSID: '',
        mfa_flag: 'enabled',
        otp_token: await insertChallenge(db, begun, now),
        methods: ways.methods,
        enrol: secret === null ? null : { secret, uri: totpUri(secret, ISSUER, person.email) },
        recovery: (await countRecoveryCodes(db, person.userId)) > 0,
        expires: now + CHALLENGE_MS,
      };
    },

    verify: async (token, answer, visitor) => {
      const { challenge, person } = await good(token);
      const attemptsLeft = await countAttempt(db, challenge);
      if (attemptsLeft === null) throw locked();
      const attempt = {
        account: `otp ${person.userId}`,
        address: visitor.source,
        isKnownPlace: await isKnownPlace(db, person.userId, visitor.source),
      };
      const { proved: secondFactor, lock } = await guard.attempt(attempt, () =>
        check(token, challenge, answer),
      );
      const who = { userId: person.userId, name: person.name };
      if (secondFactor === null) {
        await audit.record({ action: 'otp.failed', who, source: visitor.source, orgId: person.orgId });
        if (attemptsLeft === 0) throw locked();
        if (lock) throw lock;
        throw new AppError('wrong-code', 'the code is wrong or was used before', {
          otp_status: 'invalid',
          attempts_left: attemptsLeft,
        });
      }
      if (!(await takeChallenge(db, challenge))) throw expired();
      const enrolled = challenge.sealed_secret !== null && secondFactor === 'totp';
      const codes = enrolled ? { recovery_codes: await replaceRecoveryCodes(db, person.userId) } : {};
      if (enrolled)
        await audit.record({ action: 'mfa.enrol', who, source: visitor.source, orgId: person.orgId });
      const proof = { userId: person.userId, method: challenge.method, secondFactor };
      return { ...(await sessions.open(proof, visitor)), ...codes };
    },

    sendMail: async (token) => {
      const { challenge, person } = await good(token);
      if (!person.otpMethods.includes('mail')) {
        throw new AppError('bad-input', 'this organization sends no codes by mail');
      }
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const now = clock.now();
      const expires = Math.min(now + CHALLENGE_MS, challenge.expires_ms);
      const reserved = {
        codeHash: hashMailCode(token, code),
        expires,
        now,
        pauseMs: MAIL_PAUSE_MS,
        most: MAILS,
      };
      const sent = await reserveMail(db, challenge, reserved);
      if (sent === null) throw new AppError('too-many', 'wait a moment before asking for another code');
      await deps.mail.send({
        to: person.email,
        ...authMail('code', person.locale, { code, name: person.name }),
      });
      return { sent_to: hidden(person.email), expires, next: sent < MAILS ? now + MAIL_PAUSE_MS : null };
    },

    passkeyOptions: async (token) => {
      const { challenge, person } = await good(token);
      const known = await passkeysOf(db, person.userId);
      const origin = deps.passkeyOrigin();
      if (known.length === 0 || !origin) throw new AppError('bad-input', 'there is no passkey');
      const { options, nonce } = await signingOptions(known, origin);
      await setNonce(db, challenge, nonce);
      return { options };
    },
  };
}
