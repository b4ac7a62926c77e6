-- How the people of an organization sign in: second factors, directory, limits of sessions, links to set a password.
-- Platform tables, as those of 0002_identity.sql: the role of tenant work has no right to them.

alter table organization
  -- What may be a second factor; without an authenticator app or mail nobody could enrol at a sign-in.
  add column otp_methods text[] not null default '{totp,passkey}'
    check (otp_methods <@ '{totp,mail,passkey}' and otp_methods && '{totp,mail}'),
  -- `mfa` always asks for a second factor; this asks for it after a directory or another identity provider too.
  add column second_factor_always boolean not null default false,
  -- Time after which a session ends whatever the activity.
  add column session_max_min integer not null default 720 check (session_max_min between 30 and 43200),
  -- Set by single sign-on once it is configured; tells the sign-in page what to offer.
  add column sso_kind text check (sso_kind in ('saml', 'oidc'));

-- Mail domains tell how an address signs in without telling whether it has an account.
create table mail_domain (
  domain text primary key check (domain = lower(domain) and domain ~ '^[^\s@]+$'),
  org_id text not null references organization on delete cascade
);
create index mail_domain_org on mail_domain (org_id);

create table organization_directory (
  org_id          text primary key references organization on delete cascade,
  host            text not null,
  port            integer not null check (port between 1 and 65535),
  security        text not null check (security in ('plain', 'starttls', 'ldaps')),
  -- Certificate authorities of the server in PEM; those of the system when empty.
  ca_certificate  text not null default '',
  base_dn         text not null,
  -- LDAP filter with {email} for the escaped address.
  user_filter     text not null,
  bind_dn         text not null default '',
  sealed_password text,
  changed_ms      bigint not null
);

alter table session
  add column session_id text,
  add column user_agent text not null default '',
  add column method text not null default 'password' check (method in ('password', 'ldap', 'saml', 'oidc')),
  add column second_factor text check (second_factor in ('totp', 'mail', 'passkey', 'recovery'));
update session set session_id = encode(substring(ssid_hash for 6), 'hex');
alter table session alter column session_id set not null;
create unique index session_public_id on session (session_id);

-- An authenticator app. Unconfirmed until a code of it was right once.
create table totp_factor (
  user_id       text primary key references person on delete cascade,
  sealed_secret text not null,
  created_ms    bigint not null,
  -- The 30 s step of the last code that was taken; it and all before it are used up.
  last_step     bigint not null
);

create table recovery_code (
  user_id   text not null references person on delete cascade,
  code_hash bytea not null,
  used_ms   bigint,
  primary key (user_id, code_hash)
);

create table passkey (
  credential_id text primary key,
  user_id       text not null references person on delete cascade,
  name          text not null,
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null,
  created_ms    bigint not null,
  last_used_ms  bigint
);
create index passkey_user on passkey (user_id);

-- A sign-in whose first step was right, waiting for the second. Only a hash of its token is kept.
create table sign_in_challenge (
  token_hash      bytea primary key,
  user_id         text not null references person on delete cascade,
  method          text not null check (method in ('password', 'ldap', 'saml', 'oidc')),
  source_address  text not null,
  user_agent      text not null,
  expires_ms      bigint not null,
  attempts        integer not null default 0,
  -- The secret offered for enrolment; becomes the user's with the first right code.
  sealed_secret   text,
  mail_code_hash  bytea,
  mail_expires_ms bigint,
  mails_sent      integer not null default 0,
  mail_sent_ms    bigint,
  -- What the authenticator has to sign.
  passkey_nonce   text
);
create index sign_in_challenge_expires on sign_in_challenge (expires_ms);
create index sign_in_challenge_user on sign_in_challenge (user_id);

-- What somebody signed in has begun and not yet confirmed: an authenticator app, a passkey.
create table factor_offer (
  user_id       text not null references person on delete cascade,
  kind          text not null check (kind in ('totp', 'passkey')),
  -- The sealed secret of the app, or the nonce for the authenticator.
  sealed_value  text not null,
  expires_ms    bigint not null,
  primary key (user_id, kind)
);

-- Links to set a password. Used once; a new one ends those before it.
create table password_link (
  token_hash bytea primary key,
  user_id    text not null references person on delete cascade,
  -- `set`: the first password; `forgot`: asked for by the user; `reset`: sent by an administrator.
  kind       text not null check (kind in ('set', 'forgot', 'reset')),
  created_ms bigint not null,
  expires_ms bigint not null,
  used_ms    bigint
);
create index password_link_user on password_link (user_id);

revoke all on mail_domain, organization_directory, totp_factor, recovery_code, passkey, sign_in_challenge,
  factor_offer, password_link from tyrian_tenant;
