import type { AccessType, UserType } from '@tyrian/contract';
import type { ColumnType, Generated, Kysely } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { Timestamp } from '../../platform/postgres/timestamp.ts';
import type { OrganizationSignIn, SessionOrigin, SignInTables } from './sign-in/sign-in-tables.ts';

// The tables of db/postgres/0002_identity.sql, 0003_sign_in.sql and 0005_audit.sql.

// A type, not an interface: Kysely asks for an index signature.
export type IdentityTables = {
  organization: {
    org_id: string;
    name: string;
    status: Generated<'enabled' | 'disabled'>;
    created_at: Timestamp;
  } & OrganizationSignIn;
  tenant: {
    cluster_id: string;
    cluster_name: string;
    product_type: 'essential' | 'professional' | 'enterprise';
    license_type: Generated<'open' | 'trial' | 'subscription'>;
    created_at: Timestamp;
  };
  tenant_organization: { cluster_id: string; org_id: string; is_primary: boolean };
  scope: {
    cluster_id: string;
    scope_id: string;
    scope_name: string;
    is_enabled: Generated<boolean>;
    created_at: Timestamp;
  };
  person: {
    user_id: string;
    org_id: string;
    email: string;
    name: string;
    phone: string | null;
    user_type: UserType;
    root_viewer: Generated<boolean>;
    status: Generated<'enabled' | 'disabled'>;
    password_hash: string;
    password_changed_at: Timestamp;
    mfa_enabled: Generated<boolean>;
    eula_accepted_at: Timestamp | null;
    policy_accepted_at: Timestamp | null;
    eula_version: Generated<number>;
    policy_version: Generated<number>;
    locale: Generated<'en-US' | 'fr-FR' | 'ru-RU' | 'zh-CN'>;
    created_at: Timestamp;
    last_login_at: Timestamp | null;
  };
  /** One row; goes up with every change of what people may reach. */
  access_version: { only_one: Generated<boolean>; version: number };
  password_history: { user_id: string; password_hash: string; created_at: Timestamp };
  tenant_access: { user_id: string; cluster_id: string; access_type: AccessType };
  scope_access: {
    user_id: string;
    cluster_id: string;
    scope_id: string;
    role: 'Viewer' | 'Security Analyst' | 'Security Engineer';
  };
  session: {
    ssid_hash: Buffer;
    user_id: string;
    created_at: Timestamp;
    last_seen_at: Timestamp;
    expires_at: Timestamp;
    source_address: string;
  } & SessionOrigin;
  login_failure: {
    key_hash: Buffer;
    failures: number;
    window_start: Timestamp;
    locked_until: Generated<Timestamp>;
    pending: Generated<number>;
    pending_at: Generated<Timestamp>;
  };
  login_address: { user_id: string; source_address: string; last_login_at: Timestamp };
  audit_entry: {
    audit_id: Generated<number>;
    created_at: Timestamp;
    source: string;
    user_id: string | null;
    user_name: string;
    org_id: string | null;
    cluster_id: string | null;
    scope_id: string | null;
    action: string;
    entity: string;
    details: ColumnType<unknown, string, string>;
    /** Filled by the engine, as `entry_hash`. */
    chain_no: Generated<number>;
    entry_hash: Generated<Buffer>;
  };
  audit_head: { last_no: number; last_hash: Buffer };
} & SignInTables;

export type IdentityDb = Kysely<IdentityTables>;

/** The platform-wide tables with those of identity. */
export function identityDb(postgres: Postgres): IdentityDb {
  return postgres.platform.withTables<IdentityTables>() as unknown as IdentityDb;
}
