import { type LdapDirectory, say } from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import {
  DirectoryAnswerError,
  isWrongCredentials,
  type LdapClient,
  withLdap,
} from '../../../platform/outgoing/ldap-connection.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing-connections.ts';
import { type OutgoingAnswer, outgoingAnswer } from '../../../platform/outgoing/outgoing-error.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { IdentityDb } from '../identity-tables.ts';

// Passwords that a directory knows: the entry of an address is looked up, then bound to with the password typed.
// The directory only says whether the password fits; who somebody is and what they may reach stands here.

const PURPOSE = 'ldap';

export interface StoredDirectory extends LdapDirectory {
  readonly bindPassword: string;
}

/** The directory of an organization with its password, or null. */
export async function readDirectory(
  db: IdentityDb,
  secrets: SecretBox,
  orgId: string,
): Promise<StoredDirectory | null> {
  const row = await db
    .selectFrom('organization_directory')
    .selectAll()
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  if (!row) return null;
  const { host, port, security, ca_certificate, base_dn, user_filter, bind_dn } = row;
  const bindPassword = row.sealed_password === null ? '' : secrets.open(row.sealed_password, PURPOSE);
  return { host, port, security, ca_certificate, base_dn, user_filter, bind_dn, bindPassword };
}

/** Keeps the directory of an organization. */
export async function saveDirectory(
  db: IdentityDb,
  secrets: SecretBox,
  kept: { readonly orgId: string; readonly directory: StoredDirectory; readonly now: number },
): Promise<void> {
  const { bindPassword, ...directory } = kept.directory;
  const change = {
    ...directory,
    sealed_password: bindPassword === '' ? null : secrets.seal(bindPassword, PURPOSE),
    changed_at: timestamp(kept.now),
  };
  await db
    .insertInto('organization_directory')
    .values({ org_id: kept.orgId, ...change })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet(change))
    .execute();
}

/** A value inside an LDAP filter (RFC 4515): nothing of it can end the filter or match more. */
function escapeFilter(value: string): string {
  return value.replace(/[\\*()\0]|[^\x20-\x7e]/gu, (letter) =>
    [...Buffer.from(letter)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

async function findEntry(
  client: LdapClient,
  directory: StoredDirectory,
  email: string,
): Promise<string | null> {
  if (directory.bind_dn) await client.bind(directory.bind_dn, directory.bindPassword);
  const { searchEntries } = await client.search(directory.base_dn, {
    scope: 'sub',
    filter: directory.user_filter.replaceAll('{email}', escapeFilter(email)),
    sizeLimit: 2,
    attributes: ['dn'],
  });
  // Two entries for one address: which of them is meant is not for us to guess.
  return searchEntries.length === 1 ? (searchEntries[0]?.dn ?? null) : null;
}

/**
 * Whether the directory takes the password for the address. Throws OutgoingError when it cannot be reached, and AppError
 * `unavailable` when it was and does not let us ask.
 */
export async function directoryTakes(
  outgoing: Outgoing,
  directory: StoredDirectory,
  email: string,
  password: string,
): Promise<boolean> {
  // Directories take a name without a password for an anonymous sign-in and say yes.
  if (password === '') return false;
  try {
    return await withLdap(outgoing, directory, async (client) => {
      const dn = await findEntry(client, directory, email);
      if (!dn) return false;
      try {
        await client.bind(dn, password);
        return true;
      } catch (error) {
        if (isWrongCredentials(error)) return false;
        throw error;
      }
    });
  } catch (error) {
    if (error instanceof DirectoryAnswerError) throw directoryUnavailable();
    throw error;
  }
}

/** What whoever signs in is told when the directory cannot be asked, whatever the reason is. */
export function directoryUnavailable(): AppError {
  return new AppError('unavailable', say('auth.directorySilent'));
}

/** `answer`: the entry, or what is wrong, where the directory says it in its own words. */
export interface DirectoryTrial extends OutgoingAnswer {
  readonly found: boolean;
  /** Where the directory was reached; null when only its certificate or its result code is known. */
  readonly address: string | null;
}

/**
 * Looks an address up, for whoever sets the directory up. Throws OutgoingError when what is there cannot be reached,
 * may not be, or is no directory.
 */
export async function tryDirectory(
  outgoing: Outgoing,
  directory: StoredDirectory,
  email: string,
): Promise<DirectoryTrial> {
  try {
    return await withLdap(outgoing, directory, async (client, { address }) => {
      const dn = await findEntry(client, directory, email);
      return { found: dn !== null, ...outgoingAnswer(dn ?? say('outgoing.noEntry')), address };
    });
  } catch (error) {
    if (!(error instanceof DirectoryAnswerError)) throw error;
    return { found: false, ...outgoingAnswer(error.said), address: null };
  }
}
