import {
  type addPerson,
  type FirstPasswordWay,
  GLOBAL_SEARCH_LIMIT,
  type OrganizationItem,
  type OutputOf,
  type PersonItem,
  type platformSearch,
  type readOrganization,
  type readPerson,
  say,
  sayOfField,
  type UserAccess,
  type UserType,
} from '@tyrian/contract';
import type { QueryExecutorProvider } from 'kysely';
import { AppError, notAuthorised, notFound } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { asAccessCaller } from '../sign-in/authorizer.ts';
import type { Actor } from '../tenants/scope-service.ts';
import { isViolation } from '../users/pg-violation.ts';
import type { UserService } from '../users/user-service.ts';
import type { OrganizationService } from './organization-service.ts';
import { selectOrganizations } from './organization-store.ts';
import {
  findPerson,
  searchOrganizations,
  searchPeople,
  selectOrganizationTenants,
  selectPeople,
  updateOrganization,
  updatePerson,
} from './people-store.ts';

// Organizations and their people, as their administrators and root change them. An administrator sees the own
// organization only: everything else is not there. Nobody takes the own rights away, and nobody but root makes or
// touches a root user or a content manager.

type OrganizationDetail = OutputOf<typeof readOrganization>;
type PersonDetail = OutputOf<typeof readPerson>;

interface PersonToAdd {
  readonly name: string;
  readonly email_id: string;
  readonly phone: string | null;
  readonly user_type: UserType;
  readonly root_viewer: boolean;
  readonly first_password: FirstPasswordWay;
}

interface PersonChange {
  readonly name?: string | undefined;
  readonly phone?: string | null | undefined;
  readonly user_type?: UserType | undefined;
  readonly root_viewer?: boolean | undefined;
  readonly status?: 'enabled' | 'disabled' | undefined;
}

interface Page {
  readonly pageno: number;
  readonly pagesize: number;
  readonly query: string;
}

export interface OrganizationAdministration {
  read(actor: Actor, orgId: string): Promise<OrganizationDetail>;
  create(actor: Actor, name: string): Promise<string>;
  save(
    actor: Actor,
    orgId: string,
    change: { readonly name?: string | undefined; readonly status?: 'enabled' | 'disabled' | undefined },
  ): Promise<void>;
  /** Throws AppError `conflict` while it has people or tenants. */
  remove(actor: Actor, orgId: string): Promise<void>;
  people(actor: Actor, orgId: string, page: Page): Promise<{ data: PersonItem[]; total_count: number }>;
  /** A few organizations and people within the caller's reach whose name or address holds a text. */
  find(actor: Actor, query: string): Promise<OutputOf<typeof platformSearch>>;
  /** The new id, with the first password when it is to be told: here and never again. */
  add(actor: Actor, orgId: string, person: PersonToAdd): Promise<OutputOf<typeof addPerson>>;
  readPerson(actor: Actor, userId: string): Promise<PersonDetail>;
  savePerson(actor: Actor, userId: string, change: PersonChange): Promise<void>;
  removePerson(actor: Actor, userId: string): Promise<void>;
}

/** How new users get their first password. */
interface FirstPasswords {
  /** What can be chosen now: the best first. */
  ways(): Promise<FirstPasswordWay[]>;
  generate(): string;
  /** Mails a link. Throws AppError `unavailable` when the mail server does not take it. */
  invite(userId: string): Promise<void>;
}

export interface OrganizationAdministrationDeps {
  readonly db: IdentityDb;
  readonly audit: AuditService;
  readonly organizations: OrganizationService;
  readonly users: UserService;
  readonly firstPasswords: FirstPasswords;
  readonly readAccess: (userId: string) => Promise<UserAccess>;
}

/** Whether the people of the organization have passwords here; root users have them always. */
const keepsPasswords = ({ auth_type }: Pick<OrganizationItem, 'auth_type'>) =>
  auth_type === 'standard' || auth_type === 'mfa';

/** Types that only root gives, and that only root may touch. */
const PLATFORM_TYPES: readonly UserType[] = ['root', 'content_manager'];

function assertMayView(rootViewer: boolean | undefined, userType: UserType): void {
  if (rootViewer && userType !== 'root') {
    throw new AppError('bad-input', sayOfField('root_viewer', say('organizations.onlyRootViews')));
  }
}

export function createOrganizationAdministration(
  deps: OrganizationAdministrationDeps,
): OrganizationAdministration {
  return bindDeps(deps, {
    read,
    create,
    save,
    remove,
    people,
    find,
    add,
    readPerson: personDetail,
    savePerson,
    removePerson,
  });
}

function record(
  { audit }: OrganizationAdministrationDeps,
  trx: QueryExecutorProvider,
  action: string,
  orgId: string,
  entity: string,
  details: Record<string, unknown> = {},
) {
  return audit.record({ action, orgId, entity, details }, trx);
}

function assertSees({ caller }: Actor, orgId: string): void {
  const { record: known } = asAccessCaller(caller);
  if (!known.isRoot && known.orgId !== orgId) throw notFound();
}

async function personOf(
  deps: OrganizationAdministrationDeps,
  actor: Actor,
  userId: string,
): Promise<PersonItem> {
  const person = await findPerson(deps.db, userId);
  if (!person) throw notFound();
  assertSees(actor, person.orgId);
  return person;
}

/** An organization administrator must not reach for more than the own organization. */
function assertMayGive({ caller }: Actor, types: readonly (UserType | undefined)[]): void {
  const { record: known } = asAccessCaller(caller);
  if (known.isRoot) return;
  if (types.some((type) => type !== undefined && PLATFORM_TYPES.includes(type))) throw notAuthorised();
}

async function organizationOf(deps: OrganizationAdministrationDeps, orgId: string) {
  const found = await selectOrganizations(deps.db, { orgId, search: '', limit: 1, offset: 0 });
  const [one] = found.data;
  if (!one) throw notFound();
  return one;
}

/**
 * Adds the user. Only root learns why an address cannot be added: to anybody else an account of another organization
 * and a mail domain of another organization look alike.
 */
async function createUser(
  deps: OrganizationAdministrationDeps,
  { caller }: Actor,
  ...[user, lastStep]: Parameters<UserService['create']>
): Promise<string> {
  try {
    return await deps.users.create(user, lastStep);
  } catch (error) {
    const isRefused = error instanceof AppError && error.kind === 'conflict';
    if (!isRefused || asAccessCaller(caller).record.isRoot) throw error;
    const isOwn = (await deps.users.findByEmail(user.email))?.org_id === user.orgId;
    throw new AppError('conflict', say(isOwn ? 'organizations.ownAddress' : 'organizations.foreignAddress'), {
      field: 'email_id',
    });
  }
}

/** Somebody who never gets the mail could not sign in: then there is no such user, and it can be tried again. */
async function inviteOrRemove(
  deps: OrganizationAdministrationDeps,
  orgId: string,
  userId: string,
): Promise<void> {
  try {
    await deps.firstPasswords.invite(userId);
  } catch (error) {
    await deps.db.transaction().execute(async (trx) => {
      await deps.users.remove(userId, trx);
      await record(deps, trx, 'user.delete', orgId, userId, { reason: 'the invitation was not sent' });
    });
    throw error;
  }
}

async function read(
  deps: OrganizationAdministrationDeps,
  actor: Actor,
  orgId: string,
): Promise<OrganizationDetail> {
  assertSees(actor, orgId);
  const one = await organizationOf(deps, orgId);
  return {
    ...one,
    tenants: await selectOrganizationTenants(deps.db, orgId),
    first_password_ways: keepsPasswords(one) ? await deps.firstPasswords.ways() : [],
  };
}

function create(deps: OrganizationAdministrationDeps, _actor: Actor, name: string): Promise<string> {
  return deps.db.transaction().execute(async (trx) => {
    const orgId = await deps.organizations.create(name, undefined, trx);
    await record(deps, trx, 'organization.create', orgId, orgId, { name });
    return orgId;
  });
}

async function save(
  deps: OrganizationAdministrationDeps,
  actor: Actor,
  orgId: string,
  change: { readonly name?: string | undefined; readonly status?: 'enabled' | 'disabled' | undefined },
): Promise<void> {
  assertSees(actor, orgId);
  const before = await organizationOf(deps, orgId);
  const { record: known } = asAccessCaller(actor.caller);
  if (change.status === 'disabled' && known.orgId === orgId) {
    throw new AppError('conflict', say('organizations.disableOwn'));
  }
  const { name, status } = before;
  try {
    await deps.db.transaction().execute(async (trx) => {
      await updateOrganization(trx, orgId, change);
      await record(deps, trx, 'organization.save', orgId, orgId, { from: { name, status }, to: change });
    });
  } catch (error) {
    // Only root learns that another organization has the name.
    if (isViolation(error, 'unique'))
      throw new AppError(
        'conflict',
        sayOfField('name', say(known.isRoot ? 'reasons.nameTaken' : 'reasons.nameUnusable')),
      );
    throw error;
  }
}

async function remove(deps: OrganizationAdministrationDeps, _actor: Actor, orgId: string): Promise<void> {
  const { name } = await organizationOf(deps, orgId);
  await deps.db.transaction().execute(async (trx) => {
    await deps.organizations.remove(orgId, trx);
    await record(deps, trx, 'organization.delete', orgId, orgId, { name });
  });
}

async function people(
  deps: OrganizationAdministrationDeps,
  actor: Actor,
  orgId: string,
  { pageno, pagesize, query }: Page,
): Promise<{ data: PersonItem[]; total_count: number }> {
  assertSees(actor, orgId);
  await organizationOf(deps, orgId);
  const page = { search: query, limit: pagesize, offset: (pageno - 1) * pagesize };
  return selectPeople(deps.db, orgId, page);
}

async function find(
  { db }: OrganizationAdministrationDeps,
  { caller }: Actor,
  query: string,
): Promise<OutputOf<typeof platformSearch>> {
  const { record: known } = asAccessCaller(caller);
  const within = known.isRoot ? null : known.orgId;
  const [organizations, people] = await Promise.all([
    searchOrganizations(db, within, query, GLOBAL_SEARCH_LIMIT),
    searchPeople(db, within, query, GLOBAL_SEARCH_LIMIT),
  ]);
  return { organizations, people };
}

async function add(
  deps: OrganizationAdministrationDeps,
  actor: Actor,
  orgId: string,
  person: PersonToAdd,
): Promise<OutputOf<typeof addPerson>> {
  assertSees(actor, orgId);
  assertMayGive(actor, [person.user_type]);
  const organization = await organizationOf(deps, orgId);
  assertMayView(person.root_viewer, person.user_type);
  const password = deps.firstPasswords.generate();
  const isMailed = person.first_password === 'link';
  const { name, email_id, phone, user_type } = person;
  const user_id = await createUser(
    deps,
    actor,
    {
      orgId,
      email: email_id,
      name,
      phone,
      userType: user_type,
      rootViewer: person.root_viewer,
      password,
    },
    (trx, id) =>
      record(deps, trx, 'user.create', orgId, id, { name, email_id, user_type, invited: isMailed }),
  );
  if (isMailed) await inviteOrRemove(deps, orgId, user_id);
  const isTold = !isMailed && (keepsPasswords(organization) || user_type === 'root');
  return { user_id, initial_password: isTold ? password : null, is_mailed: isMailed };
}

async function personDetail(
  deps: OrganizationAdministrationDeps,
  actor: Actor,
  userId: string,
): Promise<PersonDetail> {
  const person = await personOf(deps, actor, userId);
  // A root user sees every tenant there is: a list that only root may read.
  const isHidden = person.user_type === 'root' && !asAccessCaller(actor.caller).record.isRoot;
  const access = isHidden ? null : await deps.readAccess(userId);
  return { ...person, access: access?.access ?? [] };
}

async function savePerson(
  deps: OrganizationAdministrationDeps,
  actor: Actor,
  userId: string,
  change: PersonChange,
): Promise<void> {
  const before = await personOf(deps, actor, userId);
  assertMayGive(actor, [before.user_type, change.user_type]);
  assertMayView(change.root_viewer, change.user_type ?? before.user_type);
  const isOwn = actor.caller.userId === userId;
  const changesRights = change.user_type !== undefined || change.root_viewer !== undefined;
  if (isOwn && (changesRights || change.status === 'disabled')) {
    throw new AppError('conflict', say('organizations.loseOwnRights'));
  }
  const { status, ...fields } = change;
  const { name, phone, user_type, root_viewer } = before;
  await deps.db.transaction().execute(async (trx) => {
    await updatePerson(trx, userId, fields);
    if (status === 'disabled') await deps.users.disable(userId, trx);
    if (status === 'enabled') await deps.users.enable(userId, trx);
    await record(deps, trx, 'user.save', before.orgId, userId, {
      from: { name, phone, user_type, root_viewer, status: before.status },
      to: change,
    });
  });
}

async function removePerson(
  deps: OrganizationAdministrationDeps,
  actor: Actor,
  userId: string,
): Promise<void> {
  const before = await personOf(deps, actor, userId);
  assertMayGive(actor, [before.user_type]);
  if (actor.caller.userId === userId) throw new AppError('conflict', say('organizations.deleteYourself'));
  // Switching off first refuses the last root administrator and ends the sessions.
  const { name, email_id } = before;
  await deps.db.transaction().execute(async (trx) => {
    await deps.users.disable(userId, trx);
    await deps.users.remove(userId, trx);
    await record(deps, trx, 'user.delete', before.orgId, userId, { name, email_id });
  });
}
