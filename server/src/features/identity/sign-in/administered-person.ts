import { notFound } from '../../../platform/app-error.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { asAccessCaller } from './authorizer.ts';

/** Somebody whose sign-in the caller may look after. */
export interface AdministeredPerson {
  readonly userId: string;
  readonly orgId: string;
  readonly name: string;
  readonly email: string;
}

/**
 * The user, when it is the caller, when the caller is root, or when the caller administers the user's organization
 * and the user is not root. Everybody else, existing or not, is `not found`. A root viewer may look, no more.
 */
export async function findAdministered(
  db: IdentityDb,
  caller: Caller,
  userId: string,
  act: 'look' | 'change',
): Promise<AdministeredPerson> {
  const { record } = asAccessCaller(caller);
  const person = await db
    .selectFrom('person')
    .select(['user_id as userId', 'org_id as orgId', 'name', 'email', 'user_type'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!person) throw notFound();
  const isOwn = record.isOrgAdmin && record.orgId === person.orgId && person.user_type !== 'root';
  const isRoot = record.isRoot && (act === 'look' || !record.isRootViewer);
  if (person.userId !== caller.userId && !isRoot && !isOwn) throw notFound();
  return { userId: person.userId, orgId: person.orgId, name: person.name, email: person.email };
}
