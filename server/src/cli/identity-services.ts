import type { QueryExecutorProvider } from 'kysely';
import { createAuditService } from '../features/identity/audit/audit-service.ts';
import { type IdentityDb, identityDb } from '../features/identity/identity-tables.ts';
import { createOrganizationService } from '../features/identity/organizations/organization-service.ts';
import { hashPassword } from '../features/identity/sign-in/password-hash.ts';
import { checkNewPassword, checkPassword } from '../features/identity/sign-in/password-policy.ts';
import { removeFactors } from '../features/identity/sign-in/remove-factors.ts';
import { replacePassword } from '../features/identity/sign-in/replace-password.ts';
import { createTenantService } from '../features/identity/tenants/tenant-service.ts';
import { createUserService } from '../features/identity/users/user-service.ts';
import { AppError } from '../platform/app-error.ts';
import type { AuditEntry } from '../platform/audit-recorder.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import { UsageError } from './command.ts';

/** The services of identity over the records alone: a tenant's database for events is made when events come. */
export function identityServices(postgres: Postgres) {
  const db = identityDb(postgres);
  const eventStore = {
    ensureTenant: async () => undefined,
    dropTenant: async () => {
      throw new Error('events are out of reach from here');
    },
  };
  const audit = createAuditService({ postgres, clock, log: createLog('warn') });
  return {
    organizations: createOrganizationService({ db, clock }),
    tenants: createTenantService({ postgres, eventStore, clock }),
    users: createUserService({
      db,
      clock,
      hashPassword,
      checkPassword,
      checkNewPassword,
      replacePassword,
    }),
    removeFactors: (userId: string, trx: IdentityDb) => removeFactors(trx, userId),
    /** Runs a change with its entry in the audit trail, all or nothing. */
    acting: <T>(work: (trx: IdentityDb) => Promise<T>): Promise<T> => db.transaction().execute(work),
    /** The entry of an act on the command line: the person at it is known to the machine alone. */
    record: (entry: AuditEntry, trx: QueryExecutorProvider): Promise<void> =>
      audit.record({ ...entry, who: null, source: 'command line' }, trx),
  };
}

export type IdentityServices = ReturnType<typeof identityServices>;

/** Finds the one item with this id or name (any case). Throws UsageError listing what there is. */
export function pick<T>(
  what: string,
  wanted: string,
  items: readonly T[],
  namesOf: (item: T) => string[],
): T {
  const found = items.filter((item) =>
    namesOf(item).some((name) => name.toLowerCase() === wanted.toLowerCase()),
  );
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const known = items.map((item) => namesOf(item).at(-1)).join(', ') || 'none';
  throw new UsageError(`no ${what} ${wanted}; there ${items.length === 1 ? 'is' : 'are'}: ${known}`);
}

/** A refusal of a service is a wrong argument on the command line. */
export async function saying<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(error.message);
    throw error;
  }
}
