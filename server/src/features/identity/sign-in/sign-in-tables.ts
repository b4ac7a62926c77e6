import type { AuthType, OtpMethod, PasswordLinkKind, SignInMethod } from '@tyrian/contract';
import type { Generated } from 'kysely';
import type { Timestamp } from '../../../platform/postgres/timestamp.ts';

// The tables of db/postgres/0003_sign_in.sql. Hashes are SHA-256.

/** How a session was proved in its second step; null without one. */
export type SecondFactor = OtpMethod | 'recovery';

/** Columns of `organization` that are about signing in. */
export interface OrganizationSignIn {
  auth_type: Generated<AuthType>;
  session_timeout_min: Generated<number>;
  session_max_min: Generated<number>;
  otp_methods: Generated<OtpMethod[]>;
  second_factor_always: Generated<boolean>;
  sso_kind: 'saml' | 'oidc' | null;
}

/** Columns of `session` that tell how it came about. */
export interface SessionOrigin {
  session_id: string;
  user_agent: Generated<string>;
  method: Generated<SignInMethod>;
  second_factor: SecondFactor | null;
}

export type SignInTables = {
  mail_domain: { domain: string; org_id: string };
  organization_directory: {
    org_id: string;
    host: string;
    port: number;
    security: 'plain' | 'starttls' | 'ldaps';
    ca_certificate: string;
    base_dn: string;
    user_filter: string;
    bind_dn: string;
    sealed_password: string | null;
    changed_at: Timestamp;
  };
  totp_factor: { user_id: string; sealed_secret: string; created_at: Timestamp; last_step: number };
  recovery_code: { user_id: string; code_hash: Buffer; used_at: Timestamp | null };
  passkey: {
    credential_id: string;
    user_id: string;
    name: string;
    public_key: Buffer;
    counter: number;
    transports: string[];
    created_at: Timestamp;
    last_used_at: Timestamp | null;
  };
  sign_in_challenge: {
    token_hash: Buffer;
    user_id: string;
    method: SignInMethod;
    source_address: string;
    user_agent: string;
    expires_at: Timestamp;
    attempts: Generated<number>;
    sealed_secret: string | null;
    mail_code_hash: Buffer | null;
    mail_expires_at: Timestamp | null;
    mails_sent: Generated<number>;
    mail_sent_at: Timestamp | null;
    passkey_nonce: string | null;
  };
  factor_offer: { user_id: string; kind: 'totp' | 'passkey'; sealed_value: string; expires_at: Timestamp };
  password_link: {
    token_hash: Buffer;
    user_id: string;
    kind: PasswordLinkKind;
    created_at: Timestamp;
    expires_at: Timestamp;
    used_at: Timestamp | null;
  };
};
