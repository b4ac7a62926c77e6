import {
  type AccessType,
  type ScopeRole,
  say,
  type TenantUser,
  type UserItem,
  type UserType,
} from '@tyrian/contract';
import { AppError, notFound } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/new-id.ts';
import type { LastStep } from '../../../platform/postgres/within-transaction.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { isViolation } from './pg-violation.ts';
import type { ScopePerson } from './scope-person.ts';
import {
  deleteUser,
  findForeignDomain,
  findOrganizationName,
  findScopeUser,
  findUserByEmail,
  insertUser,
  mayBeConnected,
  replaceAccess,
  selectScopePeople,
  selectScopeUsers,
  selectTenantUsers,
  selectUsers,
  type UserSummary,
  updateStatus,
} from './user-store.ts';

// People and what they may reach. Used by the calls, the command line, first start and the demo.

interface UserToAdd {
  readonly orgId: string;
  readonly email: string;
  readonly name: string;
  readonly phone?: string | null;
  readonly userType: UserType;
  readonly rootViewer?: boolean;
  /** For accounts of the demo: nothing is to be accepted at the first sign-in. */
  readonly hasAgreed?: boolean;
  readonly password: string;
}

interface AccessToGrant {
  readonly userId: string;
  readonly clusterId: string;
  readonly accessType: AccessType;
  /** Role per scope id; scopes that are not named give no access. */
  readonly roles: Readonly<Record<string, ScopeRole>>;
}

interface ListPage {
  readonly pageno: number;
  readonly pagesize: number;
  readonly query: string;
  readonly handlersOnly?: boolean;
}

export interface UserService {
  /**
   * The new id. Throws AppError `conflict` when the email is taken or its mail domain is another organization's, in words
   * for whoever may know every organization, and `bad-input` when a value is wrong.
   */
  create(user: UserToAdd, lastStep?: LastStep<string>): Promise<string>;
  // `trx`: the transaction of the act that the change belongs to; one of its own when absent.
  /** Throws AppError `bad-input` when the user's organization is not connected to the tenant. */
  grant(access: AccessToGrant, trx?: IdentityDb): Promise<void>;
  /**
   * Sets a password, whatever the old one was, and ends the user's sessions. Throws AppError `bad-input` for one that must
   * not be set.
   */
  setPassword(userId: string, password: string, lastStep?: LastStep): Promise<void>;
  /** Throws AppError `conflict` for the last root administrator. */
  disable(userId: string, trx?: IdentityDb): Promise<void>;
  enable(userId: string, trx?: IdentityDb): Promise<void>;
  remove(userId: string, trx?: IdentityDb): Promise<void>;
  findByEmail(email: string): ReturnType<typeof findUserByEmail>;
  all(): Promise<readonly UserSummary[]>;
  scopeUsers(
    clusterId: string,
    scopeId: string,
    page: ListPage,
  ): Promise<{ data: UserItem[]; total_count: number }>;
  tenantUsers(clusterId: string, page: ListPage): Promise<{ data: TenantUser[]; total_count: number }>;
  /** An enabled engineer or analyst of the scope: who may handle its cases. */
  findHandler(clusterId: string, scopeId: string, userId: string): Promise<UserItem | undefined>;
  /** Everybody enabled with a role in the scope, and the administrators of its tenant. */
  scopePeople(clusterId: string, scopeId: string): Promise<ScopePerson[]>;
  /** Those of them who may see and handle its cases. */
  handlersOf(clusterId: string, scopeId: string): Promise<UserItem[]>;
}

export interface UserDeps {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly hashPassword: (password: string) => Promise<string>;
  /** Throws AppError `bad-input` for a password that must not be set. */
  readonly checkPassword: (
    password: string,
    owner: { readonly name: string; readonly email: string; readonly organization: string },
  ) => Promise<void>;
  /** The same for a user who has one already. */
  readonly checkNewPassword: (db: IdentityDb, userId: string, password: string) => Promise<void>;
  readonly replacePassword: (
    db: IdentityDb,
    change: { readonly userId: string; readonly passwordHash: string; readonly now: number },
  ) => Promise<number>;
}

const pageOf = ({ pageno, pagesize, query, handlersOnly = false }: ListPage) => ({
  handlersOnly,
  search: query,
  limit: pagesize,
  offset: (pageno - 1) * pagesize,
});

function checkedEmail(email: string): string {
  const trimmed = email.trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(trimmed))
    throw new AppError('bad-input', say('users.notAnAddress', { email }));
  return trimmed;
}

export function createUserService(deps: UserDeps): UserService {
  return bindDeps(deps, {
    create,
    grant,
    setPassword,
    disable,
    enable,
    remove,
    findByEmail,
    all,
    scopeUsers,
    tenantUsers,
    findHandler,
    scopePeople,
    handlersOf,
  });
}

async function create(deps: UserDeps, user: UserToAdd, lastStep?: LastStep<string>): Promise<string> {
  const { db, clock } = deps;
  const userId = newId();
  const email = checkedEmail(user.email);
  const { name, password } = user;
  const organization = (await findOrganizationName(db, user.orgId)) ?? '';
  await deps.checkPassword(password, { name, email, organization });
  // Before anything is looked at, so that every refusal takes as long.
  const passwordHash = await deps.hashPassword(password);
  // Root is nobody's user: an organization that gets the domain of its address must not lock it out.
  const owner = user.userType === 'root' ? undefined : await findForeignDomain(db, email, user.orgId);
  if (owner !== undefined) {
    throw new AppError('conflict', say('users.foreignDomain', { email, organization: owner }));
  }
  try {
    await db.transaction().execute(async (trx) => {
      await insertUser(trx, {
        userId,
        orgId: user.orgId,
        email,
        name: name.trim(),
        phone: user.phone || null,
        userType: user.userType,
        rootViewer: user.rootViewer ?? false,
        hasAgreed: user.hasAgreed ?? false,
        passwordHash,
        now: clock.now(),
      });
      await lastStep?.(trx, userId);
    });
  } catch (error) {
    if (isViolation(error, 'unique')) {
      const known = await findUserByEmail(db, email);
      throw new AppError(
        'conflict',
        known
          ? say('users.emailTakenIn', { email, organization: known.organization })
          : say('users.emailTaken', { email }),
      );
    }
    if (isViolation(error, 'foreign-key')) throw new AppError('bad-input', say('users.noSuchOrganization'));
    if (isViolation(error, 'check'))
      throw new AppError('bad-input', say('users.notAName', { name: user.name }));
    throw error;
  }
  return userId;
}

async function grant({ db }: UserDeps, access: AccessToGrant, trx = db): Promise<void> {
  if (!(await mayBeConnected(trx, access.userId, access.clusterId))) {
    throw new AppError('bad-input', say('users.notConnected'));
  }
  try {
    await replaceAccess(trx, access);
  } catch (error) {
    if (isViolation(error, 'foreign-key')) throw new AppError('bad-input', say('users.noSuchScope'));
    throw error;
  }
}

async function setPassword(
  deps: UserDeps,
  userId: string,
  password: string,
  lastStep?: LastStep,
): Promise<void> {
  await deps.checkNewPassword(deps.db, userId, password);
  const passwordHash = await deps.hashPassword(password);
  await deps.db.transaction().execute(async (trx) => {
    await deps.replacePassword(trx, { userId, passwordHash, now: deps.clock.now() });
    await lastStep?.(trx);
  });
}

async function disable({ db }: UserDeps, userId: string, trx = db): Promise<void> {
  if (!(await updateStatus(trx, userId, 'disabled'))) {
    throw new AppError('conflict', say('organizations.lastRoot'));
  }
}

async function enable({ db }: UserDeps, userId: string, trx = db): Promise<void> {
  if (!(await updateStatus(trx, userId, 'enabled'))) throw notFound();
}

async function remove({ db }: UserDeps, userId: string, trx = db): Promise<void> {
  if (!(await deleteUser(trx, userId))) throw notFound();
}

function findByEmail({ db }: UserDeps, email: string): ReturnType<typeof findUserByEmail> {
  return findUserByEmail(db, email);
}

function all({ db }: UserDeps): Promise<readonly UserSummary[]> {
  return selectUsers(db);
}

function scopeUsers(
  { db }: UserDeps,
  clusterId: string,
  scopeId: string,
  page: ListPage,
): Promise<{ data: UserItem[]; total_count: number }> {
  return selectScopeUsers(db, clusterId, scopeId, pageOf(page));
}

function tenantUsers(
  { db }: UserDeps,
  clusterId: string,
  page: ListPage,
): Promise<{ data: TenantUser[]; total_count: number }> {
  return selectTenantUsers(db, clusterId, pageOf(page));
}

function findHandler(
  { db }: UserDeps,
  clusterId: string,
  scopeId: string,
  userId: string,
): Promise<UserItem | undefined> {
  return findScopeUser(db, clusterId, scopeId, userId, ['Security Analyst', 'Security Engineer']);
}

function scopePeople({ db }: UserDeps, clusterId: string, scopeId: string): Promise<ScopePerson[]> {
  return selectScopePeople(db, clusterId, scopeId);
}

async function handlersOf({ db }: UserDeps, clusterId: string, scopeId: string): Promise<UserItem[]> {
  return (await selectScopePeople(db, clusterId, scopeId)).filter(
    ({ role }) => role === 'Security Analyst' || role === 'Security Engineer',
  );
}
