import { createHash, randomBytes } from 'node:crypto';
import { type PasswordLinkKind, say } from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import type { AuditEntry } from '../../../platform/audit-recorder.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import { currentCall } from '../../../platform/http/call-context.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Logger } from '../../../platform/log.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { MailService } from '../../mail/mail-service.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { type PersonRow, readAccount, readPerson } from './access-store.ts';
import { findAdministered } from './administered-person.ts';
import { authMail } from './auth-mails.ts';
import type { LoginGuard } from './login-guard.ts';
import { findMailDomain } from './mail-domain-store.ts';
import { hashPassword } from './password-hash.ts';
import { checkNewPassword } from './password-policy.ts';
import { pageAddress } from './public-address.ts';
import { replacePassword } from './replace-password.ts';
import { withUserLock } from './user-lock.ts';

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
const TOO_MANY_MAILS = 'too many mails';

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
const gone = () => new AppError('not-found', say('passwords.linkExpired'));
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
  readonly entry: AuditEntry;
}

/**
 * The token of a new link, which is kept with its entry in the trail; null when the hour has had its links already, also
 * when many ask at once.
 */
function keepLink({ db, audit }: PasswordLinkDeps, link: LinkToKeep): Promise<string | null> {
  const token = randomBytes(32).toString('base64url');
  const { userId, kind, now } = link;
  return withUserLock(db, userId, async (trx) => {
    if ((await countRecent(trx, userId, kind, now - HOUR_MS)) >= link.most) return null;
    // The newest link is the one that works; used and expired ones stay for a day to count what was sent.
    await trx
      .deleteFrom('password_link')
      .where('expires_at', '<', timestamp(now - 24 * HOUR_MS))
      .execute();
    await trx
      .updateTable('password_link')
      .set({ used_at: timestamp(now) })
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .execute();
    await trx
      .insertInto('password_link')
      .values({
        token_hash: hashToken(token),
        user_id: userId,
        kind,
        created_at: timestamp(now),
        expires_at: timestamp(now + GOOD_FOR_MS[kind]),
        used_at: timestamp(link.isVoid ? now : null),
      })
      .execute();
    await audit.record(link.entry, trx);
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
    .select('created_at')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('created_at', '>', timestamp(since))
    .execute();
  return rows.length;
}

async function findLink({ db, audit }: PasswordLinkDeps, token: string, now: number, source?: string) {
  const link = await db
    .selectFrom('password_link')
    .select(['user_id', 'kind', 'used_at', 'expires_at'])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  const person = link && (await readPerson(db, link.user_id));
  const why = whyUseless(link, person, now);
  if (link && person && why === null) return { kind: link.kind, person };
  await audit.recordOften({
    action: 'password.link.failed',
    who: null,
    claimedName: person?.email ?? 'Unknown',
    ...(source === undefined ? {} : { source }),
    entity: person?.email ?? '',
    ...(person ? { orgId: person.orgId } : {}),
    details: { reason: why },
  });
  throw gone();
}

function whyUseless(
  link: { readonly used_at: number | null; readonly expires_at: number } | undefined,
  person: PersonRow | null | undefined,
  now: number,
): string | null {
  if (!link || !person) return 'unknown link';
  if (link.used_at !== null) return 'used';
  if (link.expires_at <= now) return 'expired';
  if (!person.enabled) return 'disabled';
  return isElsewhere(person) ? 'password kept elsewhere' : null;
}

interface PasswordLinkServiceParts extends PasswordLinkDeps {
  readonly working: Set<Promise<void>>;
}

export function createPasswordLinkService(deps: PasswordLinkDeps): PasswordLinkService {
  const working = new Set<Promise<void>>();
  const parts: PasswordLinkServiceParts = { ...deps, working };
  return bindDeps(parts, { forgot, settled, forSelf, forUser, invite, check, setPassword });
}

async function send(
  parts: PasswordLinkServiceParts,
  person: PersonRow,
  kind: PasswordLinkKind,
  token: string,
): Promise<void> {
  const link = pageAddress(parts.config, pathOf(kind, token));
  await parts.mail.send({ to: person.email, ...authMail(kind, person.locale, { name: person.name, link }) });
}

async function answerForgotten(
  parts: PasswordLinkServiceParts,
  email: string,
  source: string,
): Promise<void> {
  const { db, audit, mail, clock } = parts;
  const entity = email.trim().toLowerCase();
  const { person } = await readAccount(db, entity, source);
  const unsent = (reason: string, orgId?: string) => {
    const act = {
      action: 'password.forgot',
      who: null,
      claimedName: entity,
      source,
      entity,
      ...(orgId ? { orgId } : {}),
    };
    // Whoever tries one unknown address after the other does not fill the trail.
    const ofStranger = [act.action, source, orgId ?? '', reason].join('\n');
    return audit.recordOften({ ...act, details: { mailed: false, reason } }, person ? undefined : ofStranger);
  };
  if (!person) return unsent('unknown account', (await findMailDomain(db, entity))?.orgId);
  if (!person.enabled) return unsent('disabled', person.orgId);
  if (!(await mail.isSetUp())) return unsent('no mail server', person.orgId);
  const { userId, name, orgId } = person;
  const isVoid = isElsewhere(person);
  const entry = { action: 'password.forgot', who: { userId, name }, source, orgId };
  const most = PER_HOUR.stranger;
  const token = await keepLink(parts, { userId, kind: 'forgot', now: clock.now(), most, isVoid, entry });
  if (token === null) return unsent(TOO_MANY_MAILS, orgId);
  if (isVoid) await mail.send({ to: person.email, ...authMail('elsewhere', person.locale, { name }) });
  else await send(parts, person, 'forgot', token);
}

async function sendChecked(
  parts: PasswordLinkServiceParts,
  userId: string,
  kind: PasswordLinkKind,
  entryOf: (person: PersonRow) => AuditEntry,
): Promise<void> {
  const { db, mail, clock, audit } = parts;
  const person = await readPerson(db, userId);
  if (!person) throw gone();
  if (isElsewhere(person)) throw new AppError('conflict', say('passwords.organizationKeepsElsewhere'));
  if (!(await mail.isSetUp())) throw new AppError('conflict', say('mail.notConfigured'));
  const entry = entryOf(person);
  const most = PER_HOUR.signedIn;
  const token = await keepLink(parts, { userId, kind, now: clock.now(), most, entry });
  if (token === null) {
    await audit.recordOften({ ...entry, details: { mailed: false, reason: TOO_MANY_MAILS } });
    throw new AppError('too-many', say('passwords.tooManyMails', { most }));
  }
  await send(parts, person, kind, token);
}

function forgot(parts: PasswordLinkServiceParts, email: string, source: string): void {
  const call = currentCall();
  if (call) call.isEntryDueLater = true;
  const work = answerForgotten(parts, email, source)
    .catch((error: unknown) => {
      parts.log.warn({ err: (error as Error).message }, 'a link for a forgotten password could not be sent');
    })
    .finally(() => parts.working.delete(work));
  parts.working.add(work);
}

async function settled({ working }: PasswordLinkServiceParts): Promise<void> {
  await Promise.all([...working]);
}

async function forSelf(parts: PasswordLinkServiceParts, caller: Caller, source: string): Promise<void> {
  await sendChecked(parts, caller.userId, 'forgot', () => ({
    action: 'password.forgot',
    who: caller,
    source,
  }));
}

async function forUser(
  parts: PasswordLinkServiceParts,
  caller: Caller,
  userId: string,
  source: string,
): Promise<void> {
  const person = await findAdministered(parts.db, caller, userId, 'change').catch(async (error: unknown) => {
    // The call is public, so the refusal of it is noted here.
    await parts.audit.recordOften({ action: 'password.reset.refused', who: caller, source, entity: userId });
    throw error;
  });
  await sendChecked(parts, person.userId, 'reset', ({ orgId }) => ({
    action: 'password.reset',
    who: caller,
    source,
    orgId,
    entity: userId,
  }));
}

function invite(parts: PasswordLinkServiceParts, userId: string): Promise<void> {
  return sendChecked(parts, userId, 'set', ({ orgId }) => ({ action: 'user.invite', orgId, entity: userId }));
}

async function check(
  parts: PasswordLinkServiceParts,
  token: string,
  kinds: readonly PasswordLinkKind[],
): Promise<{ kind: PasswordLinkKind; email_id: string }> {
  const { kind, person } = await findLink(parts, token, parts.clock.now());
  if (!kinds.includes(kind)) throw gone();
  return { kind, email_id: person.email };
}

async function setPassword(
  parts: PasswordLinkServiceParts,
  token: string,
  password: string,
  source: string,
): Promise<void> {
  const { clock, db, audit } = parts;
  const { kind, person } = await findLink(parts, token, clock.now(), source);
  await checkNewPassword(db, person.userId, password);
  const passwordHash = await hashPassword(password);
  await withUserLock(db, person.userId, async (trx) => {
    const taken = await trx
      .updateTable('password_link')
      .set({ used_at: timestamp(clock.now()) })
      .where('token_hash', '=', hashToken(token))
      .where('used_at', 'is', null)
      .executeTakeFirst();
    if (taken.numUpdatedRows === 0n) throw gone();
    await replacePassword(trx, { userId: person.userId, passwordHash, now: clock.now() });
    const who = { userId: person.userId, name: person.name };
    const details = { kind };
    await audit.record({ action: 'password.set', who, source, orgId: person.orgId, details }, trx);
  });
  await tellChanged(parts, person, kind);
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
