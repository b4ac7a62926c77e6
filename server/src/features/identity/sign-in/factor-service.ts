import { type OtpMethod, say } from '@tyrian/contract';
import type { Insertable } from 'kysely';
import { AppError, notFound } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Logger } from '../../../platform/log.ts';
import { type Row, withTimestamps } from '../../../platform/postgres/timestamp.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { MailService } from '../../mail/mail-service.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { isKnownAddress, type PersonRow, readPerson } from './access-store.ts';
import { findAdministered } from './administered-person.ts';
import { authMail } from './auth-mails.ts';
import type { AuthService } from './auth-service.ts';
import { findOffer, keepOffer, OFFER_MS, takeOffer } from './factor-offer-store.ts';
import { attemptOrNote, noteFailedSignIn } from './failed-sign-in.ts';
import type { LoginGuard } from './login-guard.ts';
import { checkRegistration, passkeysOf, registrationOptions } from './passkeys.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import { removeFactors } from './remove-factors.ts';
import { ISSUER } from './second-step-service.ts';
import type { SignInTables } from './sign-in-tables.ts';
import { matchTotp, newTotpSecret, totpUri } from './totp.ts';
import { keepTotp, markFactors, readTotp, TOTP_PURPOSE } from './totp-store.ts';
import { withUserLock } from './user-lock.ts';

// What a signed-in user sets up for the second step, and the reset by an administrator. A change asks for the
// password first: a session left open is not enough to take an account over.

const MAX_PASSKEYS = 20;

interface FactorsView {
  allowed: OtpMethod[];
  required: boolean;
  asks_password: boolean;
  totp: { created: number } | null;
  passkeys: { id: string; name: string; created: number; last_used: number | null }[];
  passkey_origin: string | null;
  recovery_codes_left: number;
}

export interface FactorService {
  read(caller: Caller): Promise<FactorsView>;
  beginTotp(
    caller: Caller,
    password: string,
    source: string,
  ): Promise<{ secret: string; uri: string; expires: number }>;
  /** Recovery codes when this is the first factor, else none. */
  confirmTotp(caller: Caller, otp: string, source: string): Promise<string[]>;
  beginPasskey(caller: Caller, password: string, source: string): Promise<Record<string, unknown>>;
  confirmPasskey(
    caller: Caller,
    made: { readonly name: string; readonly passkey: Record<string, unknown> },
    source: string,
  ): Promise<string[]>;
  remove(
    caller: Caller,
    factor: {
      readonly kind: 'totp' | 'passkey';
      readonly id?: string | undefined;
      readonly password: string;
    },
    source: string,
  ): Promise<void>;
  renewCodes(caller: Caller, password: string, source: string): Promise<string[]>;
  /** By an administrator: every factor goes, every session ends. Answers whether the user was told by mail. */
  reset(caller: Caller, userId: string, source: string): Promise<boolean>;
}

export interface FactorDeps {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly guard: LoginGuard;
  readonly mail: MailService;
  readonly secrets: SecretBox;
  readonly auth: AuthService;
  readonly log: Logger;
  /** The one origin under which browsers use passkeys here; null when there is none. */
  readonly passkeyOrigin: () => string | null;
}

const isRequiredBy = (person: PersonRow) => person.authType === 'mfa' || person.secondFactorAlways;

const tooManyPasskeys = () =>
  new AppError('conflict', say('factors.tooManyPasskeys', { most: MAX_PASSKEYS }));

/** What a wrong code or passkey of somebody who sets one up is in the trail. */
const failureOf = (caller: Caller, { email, orgId }: PersonRow, source: string) => ({
  action: 'otp.failed',
  who: caller,
  entity: email,
  source,
  orgId,
});

/** Keeps a passkey, in the turn of its user no more than the limit. */
async function keepPasskey(
  trx: IdentityDb,
  made: Row<Omit<Insertable<SignInTables['passkey']>, 'last_used_at'>>,
): Promise<void> {
  if ((await passkeysOf(trx, made.user_id)).length >= MAX_PASSKEYS) throw tooManyPasskeys();
  const done = await trx
    .insertInto('passkey')
    .values({ ...withTimestamps(made, 'created_at'), last_used_at: null })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  if (!done.numInsertedOrUpdatedRows) throw new AppError('conflict', say('factors.passkeyKnown'));
  await markFactors(trx, made.user_id);
}

/** Removes one factor; in the turn of the user never the last where one is required. */
async function removeOne(
  trx: IdentityDb,
  person: PersonRow,
  { kind, id }: { readonly kind: 'totp' | 'passkey'; readonly id?: string | undefined },
): Promise<void> {
  const { userId } = person;
  const factors = (await passkeysOf(trx, userId)).length + ((await readTotp(trx, userId)) ? 1 : 0);
  if (isRequiredBy(person) && factors <= 1) {
    throw new AppError('conflict', say('factors.lastFactor'));
  }
  const gone =
    kind === 'totp'
      ? await trx.deleteFrom('totp_factor').where('user_id', '=', userId).executeTakeFirst()
      : await trx
          .deleteFrom('passkey')
          .where('user_id', '=', userId)
          .where('credential_id', '=', id ?? '')
          .executeTakeFirst();
  if (gone.numDeletedRows === 0n) throw notFound();
  if (!(await markFactors(trx, userId))) {
    await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
  }
}

export function createFactorService(deps: FactorDeps): FactorService {
  return bindDeps(deps, {
    read,
    beginTotp,
    confirmTotp,
    beginPasskey,
    confirmPasskey,
    remove,
    renewCodes,
    reset,
  });
}

async function personOf(deps: FactorDeps, caller: Caller): Promise<PersonRow> {
  const person = await readPerson(deps.db, caller.userId);
  if (!person) throw notFound();
  return person;
}

function checkAllowed(person: PersonRow, method: OtpMethod): void {
  if (!person.otpMethods.includes(method)) {
    throw new AppError('bad-input', say('factors.notOffered'));
  }
}

/** After a factor was added: recovery codes for the first, and an entry in the trail. */
async function added(
  deps: FactorDeps,
  trx: IdentityDb,
  caller: Caller,
  { orgId }: PersonRow,
  kind: string,
  source: string,
): Promise<string[]> {
  const left = await countRecoveryCodes(trx, caller.userId);
  const codes = left > 0 ? [] : await replaceRecoveryCodes(trx, caller.userId);
  await deps.audit.record({ action: 'mfa.enrol', who: caller, source, orgId, details: { kind } }, trx);
  return codes;
}

function offer(
  deps: FactorDeps,
  caller: Caller,
  kind: 'totp' | 'passkey',
  sealed: string,
  expires: number,
): Promise<void> {
  return deps.db.transaction().execute(async (trx) => {
    await keepOffer(trx, caller.userId, kind, sealed, expires);
    await deps.audit.record({ action: 'mfa.offer', who: caller, details: { kind } }, trx);
  });
}

async function tell(
  deps: FactorDeps,
  email: string,
  text: { subject: string; text: string },
): Promise<boolean> {
  if (!(await deps.mail.isSetUp())) return false;
  try {
    await deps.mail.send({ to: email, ...text });
    return true;
  } catch (error) {
    deps.log.warn({ err: (error as Error).message }, 'a mail about a second factor was not taken');
    return false;
  }
}

async function read(deps: FactorDeps, caller: Caller): Promise<FactorsView> {
  const { db, auth } = deps;
  const person = await personOf(deps, caller);
  const totp = await readTotp(db, caller.userId);
  const passkeys = await passkeysOf(db, caller.userId);
  return {
    allowed: [...person.otpMethods],
    required: isRequiredBy(person),
    asks_password: await auth.asksPassword(caller),
    totp: totp && { created: totp.created_at },
    passkeys: passkeys.map((row) => ({
      id: row.credential_id,
      name: row.name,
      created: row.created_at,
      last_used: row.last_used_at,
    })),
    passkey_origin: deps.passkeyOrigin(),
    recovery_codes_left: await countRecoveryCodes(db, caller.userId),
  };
}

async function beginTotp(
  deps: FactorDeps,
  caller: Caller,
  password: string,
  source: string,
): Promise<{ secret: string; uri: string; expires: number }> {
  const { auth, db, clock, secrets } = deps;
  const person = await personOf(deps, caller);
  checkAllowed(person, 'totp');
  await auth.confirmPassword(caller, password, source);
  if (await readTotp(db, caller.userId)) {
    throw new AppError('conflict', say('factors.removeAppFirst'));
  }
  const secret = newTotpSecret();
  const expires = clock.now() + OFFER_MS;
  await offer(deps, caller, 'totp', secrets.seal(secret, TOTP_PURPOSE), expires);
  return { secret, uri: totpUri(secret, ISSUER, person.email), expires };
}

async function confirmTotp(deps: FactorDeps, caller: Caller, otp: string, source: string): Promise<string[]> {
  const { db, clock, secrets } = deps;
  const person = await personOf(deps, caller);
  const sealedSecret = await findOffer(db, caller.userId, 'totp', clock.now());
  if (sealedSecret === null) throw new AppError('bad-input', say('factors.secretExpired'));
  const attempt = {
    account: `otp ${caller.userId}`,
    address: source,
    isKnownAddress: await isKnownAddress(db, caller.userId, source),
  };
  const { proved: step, lock } = await attemptOrNote<number>(
    deps,
    attempt,
    failureOf(caller, person, source),
    async () => {
      const matched = matchTotp(secrets.open(sealedSecret, TOTP_PURPOSE), otp, clock.now(), 0);
      return matched === null ? { wrong: 'wrong code' } : { proved: matched };
    },
  );
  if (step === null) throw lock ?? new AppError('bad-input', say('factors.wrongCode'), { field: 'otp' });
  return withUserLock(db, caller.userId, async (trx) => {
    await takeOffer(trx, caller.userId, 'totp', clock.now());
    if (!(await keepTotp(trx, { userId: caller.userId, sealedSecret, lastStep: step }, clock.now()))) {
      throw new AppError('conflict', say('factors.appKnown'));
    }
    return added(deps, trx, caller, person, 'totp', source);
  });
}

async function beginPasskey(
  deps: FactorDeps,
  caller: Caller,
  password: string,
  source: string,
): Promise<Record<string, unknown>> {
  const person = await personOf(deps, caller);
  checkAllowed(person, 'passkey');
  const origin = deps.passkeyOrigin();
  if (!origin) {
    throw new AppError('conflict', say('factors.passkeysNeedAddress'));
  }
  await deps.auth.confirmPassword(caller, password, source);
  const known = await passkeysOf(deps.db, caller.userId);
  if (known.length >= MAX_PASSKEYS) throw tooManyPasskeys();
  const { options, nonce } = await registrationOptions(person, known, origin);
  await offer(deps, caller, 'passkey', nonce, deps.clock.now() + OFFER_MS);
  return options;
}

async function confirmPasskey(
  deps: FactorDeps,
  caller: Caller,
  { name, passkey }: { readonly name: string; readonly passkey: Record<string, unknown> },
  source: string,
): Promise<string[]> {
  const { db, clock, audit } = deps;
  const person = await personOf(deps, caller);
  const nonce = await takeOffer(db, caller.userId, 'passkey', clock.now());
  const origin = deps.passkeyOrigin();
  if (nonce === null || !origin) throw new AppError('bad-input', say('factors.startAgain'));
  const made = await checkRegistration(passkey, nonce, origin);
  if (!made) {
    await noteFailedSignIn(audit, { ...failureOf(caller, person, source), reason: 'wrong passkey' });
    throw new AppError('bad-input', say('factors.passkeyInvalid'));
  }
  return withUserLock(db, caller.userId, async (trx) => {
    await keepPasskey(trx, { ...made, user_id: caller.userId, name, created_at: clock.now() });
    return added(deps, trx, caller, person, 'passkey', source);
  });
}

async function remove(
  deps: FactorDeps,
  caller: Caller,
  {
    kind,
    id,
    password,
  }: {
    readonly kind: 'totp' | 'passkey';
    readonly id?: string | undefined;
    readonly password: string;
  },
  source: string,
): Promise<void> {
  const person = await personOf(deps, caller);
  await deps.auth.confirmPassword(caller, password, source);
  await withUserLock(deps.db, caller.userId, async (trx) => {
    await removeOne(trx, person, { kind, id });
    const { orgId } = person;
    await deps.audit.record({ action: 'mfa.remove', who: caller, source, orgId, details: { kind } }, trx);
  });
}

async function renewCodes(
  deps: FactorDeps,
  caller: Caller,
  password: string,
  source: string,
): Promise<string[]> {
  const person = await personOf(deps, caller);
  await deps.auth.confirmPassword(caller, password, source);
  return withUserLock(deps.db, caller.userId, async (trx) => {
    const hasFactor = (await readTotp(trx, caller.userId)) ?? (await passkeysOf(trx, caller.userId))[0];
    if (!hasFactor) throw new AppError('conflict', say('factors.setUpFirst'));
    const codes = await replaceRecoveryCodes(trx, caller.userId);
    await deps.audit.record({ action: 'mfa.recovery', who: caller, source, orgId: person.orgId }, trx);
    return codes;
  });
}

async function reset(deps: FactorDeps, caller: Caller, userId: string, source: string): Promise<boolean> {
  const { db, audit } = deps;
  const person = await findAdministered(db, caller, userId, 'change');
  // Nobody gets around the password that a change of the own factors asks for.
  if (person.userId === caller.userId) throw new AppError('bad-input', say('factors.changeOwn'));
  await db.transaction().execute(async (trx) => {
    await removeFactors(trx, person.userId);
    const { orgId, name } = person;
    const details = { user: name };
    await audit.record({ action: 'mfa.reset', who: caller, source, orgId, entity: userId, details }, trx);
  });
  const reader = await readPerson(db, person.userId);
  return tell(deps, person.email, authMail('mfaReset', reader?.locale ?? 'en-US', { name: person.name }));
}
