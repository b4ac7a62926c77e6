import { sql } from 'kysely';
import { AppError } from '../../../platform/app-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Config, ConfigError } from '../../../platform/config.ts';
import { newId } from '../../../platform/new-id.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { agreedAt } from '../users/agreed-at.ts';
import { generatePassword } from './generate-password.ts';
import { hashPassword } from './password-hash.ts';
import { checkPassword } from './password-policy.ts';

// On a platform without a root administrator, one is made, so that there is always somebody who can sign in.

const DEFAULT_EMAIL = 'admin@tyrian.local';
const PLATFORM_ORGANIZATION = 'Platform';
/** Any constant; several processes that start at once make one administrator. */
const LOCK_KEY = 7_946_214;

const NAME = 'Administrator';

/** Throws ConfigError when the password that the configuration gives must not be set. */
async function checkConfigured(password: string, email: string): Promise<void> {
  try {
    await checkPassword(password, { name: NAME, email, organization: PLATFORM_ORGANIZATION });
  } catch (error) {
    if (error instanceof AppError) throw new ConfigError(`TYRIAN_ADMIN_PASSWORD: ${error.message}`);
    throw error;
  }
}

/**
 * Makes the first root administrator when there is none. Answers the lines to print once: a generated
 * password is shown here and nowhere else. Throws ConfigError when the configured password is easy to guess.
 */
export async function ensureRootAdministrator(
  db: IdentityDb,
  clock: Clock,
  config: Pick<Config, 'adminEmail' | 'adminPassword'>,
  audit: AuditService,
): Promise<readonly string[]> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK_KEY})`.execute(trx);
    const root = await trx
      .selectFrom('person')
      .select('user_id')
      .where('user_type', '=', 'root')
      .where('root_viewer', '=', false)
      .executeTakeFirst();
    if (root) return [];
    const now = clock.now();
    const email = config.adminEmail ?? DEFAULT_EMAIL;
    if (config.adminPassword !== undefined) await checkConfigured(config.adminPassword, email);
    const password = config.adminPassword ?? generatePassword();
    const known = await trx
      .selectFrom('organization')
      .select('org_id')
      .where(sql`lower(name)`, '=', PLATFORM_ORGANIZATION.toLowerCase())
      .executeTakeFirst();
    const orgId = known?.org_id ?? newId();
    if (!known) {
      await trx
        .insertInto('organization')
        .values({ org_id: orgId, name: PLATFORM_ORGANIZATION, created_at: timestamp(now) })
        .execute();
    }
    const userId = newId();
    await trx
      .insertInto('person')
      .values({
        user_id: userId,
        org_id: orgId,
        email,
        name: NAME,
        user_type: 'root',
        password_hash: await hashPassword(password),
        password_changed_at: timestamp(now),
        created_at: timestamp(now),
        // Whoever starts the server has the licence with it, and is nobody's guest.
        ...agreedAt(now),
      })
      .execute();
    const details = { email_id: email, user_type: 'root', by: 'first start' };
    await audit.record({ action: 'user.create', who: null, source: '', orgId, entity: userId, details }, trx);
    const shown = config.adminPassword === undefined ? password : '(as given by TYRIAN_ADMIN_PASSWORD)';
    return [`Administrator: ${email}`, `Password:      ${shown}`];
  });
}
