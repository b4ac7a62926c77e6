import { randomBytes } from 'node:crypto';
import { type SessionItem, type SignInMethod, say, type UserAccess } from '@tyrian/contract';
import { sql } from 'kysely';
import { AppError, notFound } from '../../../platform/app-error.ts';
import type { AuditEntry } from '../../../platform/audit-recorder.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import { tellUsers } from '../../../platform/events/user-news.ts';
import type { Caller, SessionUse } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/new-id.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { type AccessCaller, callerFrom } from './access-caller.ts';
import { hashSsid, readAccess, readSession } from './access-store.ts';
import { findAdministered } from './administered-person.ts';
import { createKnownAccess } from './known-access.ts';
import { createRecentCallers } from './recent-callers.ts';
import type { SecondFactor } from './sign-in-tables.ts';
import { withUserLock } from './user-lock.ts';

// Sessions: opened when somebody is proved, found again by a header, ended by their user, by an administrator, by
// time, or by whoever disables the account. Only a hash of the session id is stored.

/** Activity is written down at most so often, so that polling does not mean writing. */
const TOUCH_MS = 30_000;
const AGENT_LENGTH = 300;
/** An address from which nobody has signed in for so long is forgotten. */
const PLACE_MS = 180 * 24 * 3_600_000;

/** Where a sign-in comes from. */
export interface Visitor {
  /** Address of the caller. */
  readonly source: string;
  readonly userAgent: string;
  /** The session that the browser had before; it ends when a new one begins. */
  readonly ssid?: string | undefined;
}

export interface Proof {
  readonly userId: string;
  readonly method: SignInMethod;
  readonly secondFactor: SecondFactor | null;
}

export interface SessionService {
  /** Begins a session for somebody whose proof is complete; in the transaction that uses the proof up, if there is one. */
  open(proof: Proof, visitor: Visitor, trx?: IdentityDb): Promise<UserAccess>;
  /**
   * The caller of a session that is still good, else null. `isPassive`: nobody did anything, so it ends as it would
   * have. `followsUp`: whoever was found a moment ago is not looked for again.
   */
  findCaller(ssid: string, how?: SessionUse): Promise<AccessCaller | null>;
  /** Ends a session; an unknown one is no error. */
  end(ssid: string, source: string): Promise<void>;
  /** The record as it is now. */
  accessOf(caller: Pick<Caller, 'userId' | 'ssid'>): Promise<UserAccess>;
  /** The sessions of the caller, or of a user that the caller administers. */
  list(caller: Caller, userId: string | undefined): Promise<SessionItem[]>;
  /** Ends sessions by their public ids, or all but the caller's own; returns how many. */
  endMany(
    caller: Caller,
    wanted: { readonly userId?: string | undefined; readonly sessions: 'others' | readonly string[] },
    source: string,
  ): Promise<number>;
}

export interface SessionDeps {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly audit: AuditService;
}

async function insertSession(
  db: IdentityDb,
  proof: Proof,
  visitor: Visitor,
  ssid: string,
  now: number,
): Promise<void> {
  const limits = await db
    .selectFrom('person as p')
    .innerJoin('organization as o', 'o.org_id', 'p.org_id')
    .select('o.session_max_min')
    .where('p.user_id', '=', proof.userId)
    .executeTakeFirst();
  if (!limits) throw notFound();
  await db
    .insertInto('session')
    .values({
      ssid_hash: hashSsid(ssid),
      session_id: newId(),
      user_id: proof.userId,
      created_at: timestamp(now),
      last_seen_at: timestamp(now),
      expires_at: timestamp(now + limits.session_max_min * 60_000),
      source_address: visitor.source,
      user_agent: visitor.userAgent.slice(0, AGENT_LENGTH),
      method: proof.method,
      second_factor: proof.secondFactor,
    })
    .execute();
  await db
    .insertInto('login_address')
    .values({ user_id: proof.userId, source_address: visitor.source, last_login_at: timestamp(now) })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'source_address']).doUpdateSet({ last_login_at: timestamp(now) }),
    )
    .execute();
  await db
    .deleteFrom('login_address')
    .where('user_id', '=', proof.userId)
    .where('last_login_at', '<', timestamp(now - PLACE_MS))
    .execute();
  await db
    .updateTable('person')
    .set({ last_login_at: timestamp(now) })
    .where('user_id', '=', proof.userId)
    .execute();
  // Nobody waits for another transaction that clears away the same ones.
  await sql`delete from session where ssid_hash in (
    select ssid_hash from session where expires_at < ${timestamp(now)} for update skip locked)`.execute(db);
}

async function listOf(
  db: IdentityDb,
  userId: string,
  currentSsid: string,
  now: number,
): Promise<SessionItem[]> {
  const current = hashSsid(currentSsid);
  const rows = await db
    .selectFrom('session as s')
    .innerJoin('person as p', 'p.user_id', 's.user_id')
    .innerJoin('organization as o', 'o.org_id', 'p.org_id')
    .selectAll('s')
    .select(['o.session_timeout_min', 'o.session_max_min'])
    .where('s.user_id', '=', userId)
    .orderBy('s.last_seen_at', 'desc')
    .execute();
  return rows
    .map((row) => ({
      session_id: row.session_id,
      created: row.created_at,
      last_seen: row.last_seen_at,
      idle_end: row.last_seen_at + row.session_timeout_min * 60_000,
      end: Math.min(row.expires_at, row.created_at + row.session_max_min * 60_000),
      source: row.source_address,
      user_agent: row.user_agent,
      method: row.method,
      second_factor: row.second_factor,
      is_current: row.ssid_hash.equals(current),
    }))
    .filter((session) => session.idle_end > now && session.end > now);
}

interface SessionServiceParts extends SessionDeps {
  readonly recent: ReturnType<typeof createRecentCallers>;
  readonly known: ReturnType<typeof createKnownAccess>;
}

export function createSessionService(deps: SessionDeps): SessionService {
  const known = createKnownAccess();
  const recent = createRecentCallers();
  const parts: SessionServiceParts = { ...deps, recent, known };
  return bindDeps(parts, { end, open, findCaller, accessOf, list, endMany });
}

/** Ends a session; the entry of it, undefined for an unknown one. */
async function endIn(trx: IdentityDb, ssid: string, source: string): Promise<AuditEntry | undefined> {
  const ended = await trx
    .deleteFrom('session')
    .where('ssid_hash', '=', hashSsid(ssid))
    .returning('user_id')
    .executeTakeFirst();
  if (!ended) return undefined;
  await tellUsers(trx, [ended.user_id]);
  const who = await trx
    .selectFrom('person')
    .select(['user_id as userId', 'name', 'org_id as orgId'])
    .where('user_id', '=', ended.user_id)
    .executeTakeFirst();
  return who && { action: 'logout', who, source, orgId: who.orgId };
}

async function end({ db, audit, recent }: SessionServiceParts, ssid: string, source: string): Promise<void> {
  const isEnded = await db.transaction().execute(async (trx) => {
    const entry = await endIn(trx, ssid, source);
    if (entry) await audit.record(entry, trx);
    return entry !== undefined;
  });
  recent.forget();
  if (isEnded) return;
  await audit.recordOften({ action: 'logout', who: null, source, details: { ended: 0 } });
}

function open(
  { db, recent, clock, audit }: SessionServiceParts,
  proof: Proof,
  visitor: Visitor,
  given?: IdentityDb,
): Promise<UserAccess> {
  return withUserLock(given ?? db, proof.userId, async (trx) => {
    const ssid = randomBytes(32).toString('base64url');
    const { source } = visitor;
    // What the browser carried before never goes on: neither its id nor its session.
    const before = visitor.ssid ? await endIn(trx, visitor.ssid, source) : undefined;
    if (before) recent.forget();
    await insertSession(trx, proof, visitor, ssid, clock.now());
    const access = await readAccess(trx, proof.userId, ssid);
    if (!access) throw notFound();
    if (before) await audit.record(before, trx);
    const who = { userId: proof.userId, name: access.name };
    const details = { method: proof.method, second_factor: proof.secondFactor };
    await audit.record({ action: 'login', who, source, orgId: access.orgId, details }, trx);
    return access;
  });
}

async function findCaller(
  { recent, db, clock, known }: SessionServiceParts,
  ssid: string,
  { isPassive, followsUp }: SessionUse = {},
): Promise<AccessCaller | null> {
  if (ssid.length > 256) return null;
  const before = followsUp ? recent.find(ssid) : null;
  if (before) return before;
  const remember = recent.watch(ssid);
  const session = await readSession(db, ssid);
  const now = clock.now();
  if (!session?.enabled || now >= session.expiresMs || now - session.lastSeenMs >= session.idleMs) {
    return null;
  }
  if (!isPassive && now - session.lastSeenMs >= TOUCH_MS) {
    await db
      .updateTable('session')
      .set({ last_seen_at: timestamp(now) })
      .where('ssid_hash', '=', hashSsid(ssid))
      .execute();
  }
  const read = () => readAccess(db, session.userId, ssid);
  const record = await known.of(session.userId, session.accessVersion, ssid, read);
  return record && remember(callerFrom(record));
}

async function accessOf(
  { db }: SessionServiceParts,
  caller: Pick<Caller, 'userId' | 'ssid'>,
): Promise<UserAccess> {
  const record = await readAccess(db, caller.userId, caller.ssid);
  if (!record) throw new AppError('invalid-session', say('session.userInvalid'));
  return record;
}

async function list(
  { db, clock }: SessionServiceParts,
  caller: Caller,
  userId: string | undefined,
): Promise<SessionItem[]> {
  const person = await findAdministered(db, caller, userId ?? caller.userId, 'look');
  return listOf(db, person.userId, caller.ssid, clock.now());
}

async function endMany(
  { db, audit, recent }: SessionServiceParts,
  caller: Caller,
  {
    userId,
    sessions,
  }: { readonly userId?: string | undefined; readonly sessions: 'others' | readonly string[] },
  source: string,
): Promise<number> {
  const person = await findAdministered(db, caller, userId ?? caller.userId, 'change');
  const own = hashSsid(caller.ssid);
  const ended = await db.transaction().execute(async (trx) => {
    let ending = trx.deleteFrom('session').where('user_id', '=', person.userId);
    ending =
      sessions === 'others'
        ? ending.where('ssid_hash', '!=', own)
        : ending.where('session_id', 'in', sessions);
    const ended = Number((await ending.executeTakeFirst()).numDeletedRows);
    await tellUsers(trx, [person.userId]);
    const { orgId, userId: entity } = person;
    const details = { ended };
    await audit.record({ action: 'session.end', who: caller, source, orgId, entity, details }, trx);
    return ended;
  });
  recent.forget();
  return ended;
}
