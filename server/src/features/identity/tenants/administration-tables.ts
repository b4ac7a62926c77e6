import type { ColumnType, Kysely } from 'kysely';
import type { TenantTransaction } from '../../../platform/postgres/postgres.ts';
import type { Timestamp } from '../../../platform/postgres/timestamp.ts';
import type { IdentityDb, IdentityTables } from '../identity-tables.ts';

// The tables of db/postgres/0006_tenants.sql, beside those of identity.

type AdministrationTables = Omit<IdentityTables, 'tenant'> & {
  tenant: IdentityTables['tenant'] & {
    license_until: ColumnType<Timestamp | null, Timestamp | null | undefined, Timestamp | null>;
    eula_accepted_at: ColumnType<Timestamp | null, Timestamp | null | undefined, Timestamp | null>;
    eula_accepted_by: ColumnType<string | null, string | null | undefined, string | null>;
    is_set_up: ColumnType<boolean, boolean | undefined, boolean>;
  };
  tenant_engine: { cluster_id: string; url: string; sealed_access: string; changed_at: Timestamp };
  switch_value: {
    name: string;
    cluster_id: string;
    value: ColumnType<unknown, string, string>;
    changed_at: Timestamp;
    changed_by: string;
  };
  component_config: {
    cluster_id: string;
    component: string;
    display_name: string;
    cpu_limit: number;
    memory_limit: number;
    disk_limit: number;
    events: string[];
    emails: string[];
    told_state: string | null;
  };
};

type StreamConfigTables = {
  stream_config: {
    cluster_id: string;
    scope_id: string;
    stream: string;
    retention_days: number;
    changed_at: Timestamp;
    changed_by: string;
  };
};

export type AdministrationDb = Kysely<AdministrationTables>;

export function administrationDb(db: IdentityDb): AdministrationDb {
  return db as unknown as AdministrationDb;
}

/** The same connection or transaction, for services of identity. */
export function identityOf(db: AdministrationDb): IdentityDb {
  return db as unknown as IdentityDb;
}

/** Within a transaction of one tenant. */
export function streamConfigDb(trx: TenantTransaction): Kysely<StreamConfigTables> {
  return trx.withTables<StreamConfigTables>() as unknown as Kysely<StreamConfigTables>;
}
