import { randomBytes } from 'node:crypto';
import { brokenPasswordRules, MESSAGES, type UserAccess } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { IdentityDb } from '../users/identity-tables.ts';
import { type AccessCaller, callerFrom } from './access-caller.ts';
import { hashSsid, readAccess, readAccount, readSession } from './access-store.ts';
import type { LoginGuard } from './login-guard.ts';
import { hashPassword, passwordFits } from './password-hash.ts';
import { isPasswordUsedBefore, replacePassword } from './replace-password.ts';

// Sessions: opened by a password, found again by a header, ended by their user, by time, or by whoever
// disables the account. Only a hash of the session id is stored.

/** A session ends after so long, whatever its activity. */
export const SESSION_MAX_MS = 12 * 3_600_000;
/** Activity is written down at most so often, so that polling does not mean writing. */
const TOUCH_MS = 30_000;

export interface AuthService {
  /** Opens a session. Throws AppError `not-authorised` for any wrong sign-in, `too-many` when locked. */
  login(email: string, password: string, source: string): Promise<UserAccess>;
  /** The caller of a session that is still good, else null. */
  findCaller(ssid: string): Promise<AccessCaller | null>;
  /** Ends a session; an unknown one is no error. */
  endSession(ssid: string, source: string): Promise<void>;
  /** The record as it is now. */
  accessOf(caller: Caller): Promise<UserAccess>;
  /** Returns how many other sessions ended. */
  changePassword(caller: Caller, old: string, next: string, source: string): Promise<number>;
  accept(caller: Caller, what: 'eula' | 'policy', source: string): Promise<void>;
  saveLocale(caller: Caller, locale: UserAccess['locale']): Promise<void>;
}

export interface AuthDeps {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly guard: LoginGuard;
  readonly audit: AuditService;
}

const LOGIN_REFUSED = 'the email address or the password is wrong';

export function createAuthService(deps: AuthDeps): AuthService {
  const { db, clock, audit } = deps;

  async function openSession(userId: string, source: string): Promise<UserAccess> {
    const ssid = randomBytes(32).toString('base64url');
    const now = clock.now();
    await db
      .insertInto('session')
      .values({
        ssid_hash: hashSsid(ssid),
        user_id: userId,
        created_ms: now,
        last_seen_ms: now,
        expires_ms: now + SESSION_MAX_MS,
        source_address: source,
      })
      .execute();
    await db
      .insertInto('login_place')
      .values({ user_id: userId, source_address: source, last_login_ms: now })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'source_address']).doUpdateSet({ last_login_ms: now }),
      )
      .execute();
    await db.updateTable('person').set({ last_login_ms: now }).where('user_id', '=', userId).execute();
    await db.deleteFrom('session').where('expires_ms', '<', now).execute();
    const access = await readAccess(db, userId, ssid);
    if (!access) throw new AppError('not-authorised', LOGIN_REFUSED);
    return access;
  }

  async function refuse(email: string, source: string): Promise<never> {
    await audit.record({ action: 'login.failed', who: null, source, entity: email });
    throw new AppError('not-authorised', LOGIN_REFUSED);
  }

  return {
    login: async (typedEmail, password, source) => {
      const email = typedEmail.trim().toLowerCase();
      const { person, isKnownPlace } = await readAccount(db, email, source);
      await deps.guard.begin(email, source, isKnownPlace);
      const fits = await passwordFits(person?.passwordHash ?? null, password);
      if (!person || !fits || !person.enabled) return refuse(email, source);
      await deps.guard.succeed(email, source);
      const access = await openSession(person.userId, source);
      await audit.record({ action: 'login', who: person, source, orgId: person.orgId });
      return access;
    },

    findCaller: async (ssid) => {
      if (ssid.length > 256) return null;
      const session = await readSession(db, ssid);
      const now = clock.now();
      if (!session?.enabled || now >= session.expiresMs || now - session.lastSeenMs >= session.idleMs) {
        return null;
      }
      if (now - session.lastSeenMs >= TOUCH_MS) {
        await db
          .updateTable('session')
          .set({ last_seen_ms: now })
          .where('ssid_hash', '=', hashSsid(ssid))
          .execute();
      }
      const record = await readAccess(db, session.userId, ssid);
      return record && callerFrom(record);
    },

    endSession: async (ssid, source) => {
      const ended = await db
        .deleteFrom('session')
        .where('ssid_hash', '=', hashSsid(ssid))
        .returning('user_id')
        .executeTakeFirst();
      if (!ended) return;
      const who = await db
        .selectFrom('person')
        .select(['user_id as userId', 'name', 'org_id as orgId'])
        .where('user_id', '=', ended.user_id)
        .executeTakeFirst();
      if (who) await audit.record({ action: 'logout', who, source, orgId: who.orgId });
    },

    accessOf: async (caller) => {
      const record = await readAccess(db, caller.userId, caller.ssid);
      if (!record) throw new AppError('invalid-session', MESSAGES.userInvalid);
      return record;
    },

    changePassword: async (caller, old, next, source) => {
      const { person, isKnownPlace } = await readAccount(db, caller.email.toLowerCase(), source);
      if (!person) throw new AppError('invalid-session', MESSAGES.userInvalid);
      const attempt = `change ${caller.userId}`;
      await deps.guard.begin(attempt, source, isKnownPlace);
      if (!(await passwordFits(person.passwordHash, old))) {
        throw new AppError('bad-input', 'the old password is wrong', { field: 'old_password' });
      }
      await deps.guard.succeed(attempt, source);
      const broken = brokenPasswordRules(next);
      if (broken.length > 0) {
        throw new AppError('bad-input', 'the new password breaks a rule', { field: 'new_password', broken });
      }
      if (await isPasswordUsedBefore(db, caller.userId, next)) {
        throw new AppError('bad-input', 'the new password was used before', {
          field: 'new_password',
          broken: ['history'],
        });
      }
      const ended = await replacePassword(db, {
        userId: caller.userId,
        passwordHash: await hashPassword(next),
        now: clock.now(),
        keepSession: hashSsid(caller.ssid),
      });
      await audit.record({ action: 'password.change', who: caller, source, orgId: person.orgId });
      return ended;
    },

    accept: async (caller, what, source) => {
      const column = what === 'eula' ? 'eula_accepted_ms' : 'policy_accepted_ms';
      const done = await db
        .updateTable('person')
        .set({ [column]: clock.now() })
        .where('user_id', '=', caller.userId)
        .where(column, 'is', null)
        .returning('org_id')
        .executeTakeFirst();
      if (done) await audit.record({ action: `${what}.accept`, who: caller, source, orgId: done.org_id });
    },

    saveLocale: async (caller, locale) => {
      const done = await db
        .updateTable('person')
        .set({ locale })
        .where('user_id', '=', caller.userId)
        .returning('user_id')
        .executeTakeFirst();
      if (!done) throw notFound();
    },
  };
}
