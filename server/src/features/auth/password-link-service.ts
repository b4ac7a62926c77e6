import { createHash, randomBytes } from 'node:crypto';
import type { PasswordLinkKind } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Logger } from '../../platform/log.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { IdentityDb } from '../users/identity-tables.ts';
import { type PersonRow, readAccount, readPerson } from './access-store.ts';
import { findAdministered } from './administered-person.ts';
import { authMail } from './auth-mails.ts';
import type { LoginGuard } from './login-guard.ts';
import { hashPassword } from './password-hash.ts';
import { checkNewPassword } from './password-policy.ts';
import { inTurnOf } from './person-turn.ts';
import { pageAddress } from './public-address.ts';
import { replacePassword } from './replace-password.ts';

// Links that set a password. Each works once and for a limited time; only a hash of it is kept. Whoever asks for an
// address learns nothing about it: the answer comes at once and is always the same, and the mail goes out behind it.

const GOOD_FOR_MS: Record<PasswordLinkKind, number> = {
  set: 7 * 24 * 3_600_000,
  forgot: 3_600_000,
  reset: 24 * 3_600_000,
};
/**
 * Mails to one account in an hour, so that nobody floods a mailbox. Strangers have the least, so that they cannot use up
 * what the user or an administrator may ask for.
 */
const PER_HOUR = { stranger: 3, signedIn: 10 } as const;
const HOUR_MS = 3_600_000;

export interface PasswordLinkService {
  /** Mails a link when the address is an account's. Never tells whether it is. */
  forgot(email: string, source: string): void;
  /** Mails the caller a link. */
  forSelf(caller: Caller, source: string): Promise<void>;
  /** Mails a link to a user that the caller administers. */
  forUser(caller: Caller, userId: string, source: string): Promise<void>;
  /** Mails a new user the link for the first password. Throws AppError `unavailable` without a mail server. */
  invite(userId: string): Promise<void>;
  /** Whose link it is. Throws AppError `not-found` when it does not work any more. */
  check(
    token: string,
    kinds: readonly PasswordLinkKind[],
  ): Promise<{ kind: PasswordLinkKind; email_id: string }>;
  /** Sets the password and uses the link up. */
  setPassword(token: string, password: string, source: string): Promise<void>;
  /** Resolves when the mails that were asked for so far have gone out or failed. */
  settled(): Promise<void>;
}

export interface PasswordLinkDeps {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly guard: LoginGuard;
  readonly mail: MailService;
  readonly log: Logger;
  readonly config: Config;
}

const hashToken = (token: string) => createHash('sha256').update(token).digest();
const gone = () => new AppError('not-found', 'the link has expired or was used already');
const isElsewhere = (person: PersonRow) => person.authType === 'ldap' || person.authType === 'sso';
const pathOf = (kind: PasswordLinkKind, token: string) =>
  kind === 'set' ? `/auth/set-password/${token}` : `/auth/reset-password/${kind}/${token}`;

interface LinkToKeep {
  readonly userId: string;
  readonly kind: PasswordLinkKind;
  readonly now: number;
  /** Links of the kind within an hour, this one included. */
  readonly most: number;
  /** A mail that is counted like a link and carries none. */
  readonly isVoid?: boolean;
}

/** The token of a new link; null when the hour has had its links already, also when many ask at once. */
function keepLink(db: IdentityDb, { userId, kind, now, most, isVoid }: LinkToKeep): Promise<string | null> {
  const token = randomBytes(32).toString('base64url');
  return inTurnOf(db, userId, async (trx) => {
    if ((await countRecent(trx, userId, kind, now - HOUR_MS)) >= most) return null;
    // The newest link is the one that works; used and expired ones stay for a day to count what was sent.
    await trx
      .deleteFrom('password_link')
      .where('expires_ms', '<', now - 24 * HOUR_MS)
      .execute();
    await trx
      .updateTable('password_link')
      .set({ used_ms: now })
      .where('user_id', '=', userId)
      .where('used_ms', 'is', null)
      .execute();
    await trx
      .insertInto('password_link')
      .values({
        token_hash: hashToken(token),
        user_id: userId,
        kind,
        created_ms: now,
        expires_ms: now + GOOD_FOR_MS[kind],
        used_ms: isVoid ? now : null,
      })
      .execute();
    return token;
  });
}

async function countRecent(
  db: IdentityDb,
  userId: string,
  kind: PasswordLinkKind,
  since: number,
): Promise<number> {
  const rows = await db
    .selectFrom('password_link')
    .select('created_ms')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('created_ms', '>', since)
    .execute();
  return rows.length;
}

async function findLink(db: IdentityDb, token: string, now: number) {
  const link = await db
    .selectFrom('password_link')
    .select(['user_id', 'kind'])
    .where('token_hash', '=', hashToken(token))
    .where('used_ms', 'is', null)
    .where('expires_ms', '>', now)
    .executeTakeFirst();
  const person = link && (await readPerson(db, link.user_id));
  if (!link || !person?.enabled || isElsewhere(person)) throw gone();
  return { kind: link.kind, person };
}

export function createPasswordLinkService(deps: PasswordLinkDeps): PasswordLinkService {
  const { db, clock, audit, mail, config, log } = deps;
  const working = new Set<Promise<void>>();

  async function send(person: PersonRow, kind: PasswordLinkKind, token: string): Promise<void> {
    const link = pageAddress(config, pathOf(kind, token));
    await mail.send({ to: person.email, ...authMail(kind, person.locale, { name: person.name, link }) });
  }

  async function answerForgotten(email: string, source: string): Promise<void> {
    const { person } = await readAccount(db, email.trim().toLowerCase(), source);
    if (!person?.enabled || !(await mail.isSetUp())) return;
    const { userId, name } = person;
    const isVoid = isElsewhere(person);
    const most = PER_HOUR.stranger;
    const token = await keepLink(db, { userId, kind: 'forgot', now: clock.now(), most, isVoid });
    if (token === null) return;
    await audit.record({ action: 'password.forgot', who: { userId, name }, source, orgId: person.orgId });
    if (isVoid) await mail.send({ to: person.email, ...authMail('elsewhere', person.locale, { name }) });
    else await send(person, 'forgot', token);
  }

  async function sendChecked(userId: string, kind: PasswordLinkKind): Promise<void> {
    const person = await readPerson(db, userId);
    if (!person) throw gone();
    if (isElsewhere(person)) throw new AppError('conflict', 'the organization keeps its passwords elsewhere');
    if (!(await mail.isSetUp())) throw new AppError('conflict', 'no mail server is set');
    const token = await keepLink(db, { userId, kind, now: clock.now(), most: PER_HOUR.signedIn });
    if (token === null) {
      throw new AppError('too-many', `${PER_HOUR.signedIn} mails went to the user within an hour; try later`);
    }
    await send(person, kind, token);
  }

  return {
    forgot: (email, source) => {
      const work = answerForgotten(email, source)
        .catch((error: unknown) => {
          log.warn({ err: (error as Error).message }, 'a link for a forgotten password could not be sent');
        })
        .finally(() => working.delete(work));
      working.add(work);
    },
    settled: async () => {
      await Promise.all([...working]);
    },
    forSelf: async (caller, source) => {
      await sendChecked(caller.userId, 'forgot');
      await audit.record({ action: 'password.forgot', who: caller, source });
    },
    forUser: async (caller, userId, source) => {
      const person = await findAdministered(db, caller, userId, 'change');
      await sendChecked(person.userId, 'reset');
      await audit.record({
        action: 'password.reset',
        who: caller,
        source,
        orgId: person.orgId,
        entity: userId,
      });
    },
    invite: (userId) => sendChecked(userId, 'set'),
    check: async (token, kinds) => {
      const { kind, person } = await findLink(db, token, clock.now());
      if (!kinds.includes(kind)) throw gone();
      return { kind, email_id: person.email };
    },
    setPassword: async (token, password, source) => {
      const { kind, person } = await findLink(db, token, clock.now());
      await checkNewPassword(db, person.userId, password);
      const passwordHash = await hashPassword(password);
      const taken = await db
        .updateTable('password_link')
        .set({ used_ms: clock.now() })
        .where('token_hash', '=', hashToken(token))
        .where('used_ms', 'is', null)
        .executeTakeFirst();
      if (taken.numUpdatedRows === 0n) throw gone();
      await replacePassword(db, { userId: person.userId, passwordHash, now: clock.now() });
      const who = { userId: person.userId, name: person.name };
      await audit.record({ action: 'password.set', who, source, orgId: person.orgId, details: { kind } });
      await tellChanged(deps, person, kind);
    },
  };
}

/** Tells the user; a mail that does not go out does not undo the change. */
async function tellChanged(deps: PasswordLinkDeps, person: PersonRow, kind: PasswordLinkKind): Promise<void> {
  if (kind === 'set' || !(await deps.mail.isSetUp())) return;
  try {
    await deps.mail.send({
      to: person.email,
      ...authMail('changed', person.locale, { name: person.name }),
    });
  } catch (error) {
    deps.log.warn({ err: (error as Error).message }, 'a mail about a changed password was not taken');
  }
}
