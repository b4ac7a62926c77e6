-- How people sign in: sessions, failed attempts, second factors, directories, links to set a password. Platform tables,
-- as those of 0002_identity.sql: the role of tenant work has no right to them.

-- Only a hash of the session id is kept: who reads this table cannot use a session.
create table session (
  ssid_hash      bytea       primary key,
  user_id        text        not null references person on delete cascade,
  created_at     timestamptz not null,
  last_seen_at   timestamptz not null,
  -- The absolute end, whatever the activity.
  expires_at     timestamptz not null,
  source_address text        not null,
  session_id     text        not null,
  user_agent     text        not null default '',
  method         text        not null default 'password' check (method in ('password', 'ldap', 'saml', 'oidc')),
  second_factor  text        check (second_factor in ('totp', 'mail', 'passkey', 'recovery'))
);
create index session_of_user on session (user_id);
create index session_expires on session (expires_at);
create unique index session_public_id on session (session_id);

-- Failed sign-ins, counted by a hash of what was tried (account and address, account, address).
create table login_failure (
  key_hash     bytea       primary key,
  failures     integer     not null,
  -- The counting starts afresh when the window is over.
  window_start timestamptz not null,
  locked_until timestamptz not null default 'epoch',
  -- Attempts that are being looked at, beside those that failed: a right password takes its attempt back without ever
  -- having counted as a failure, and wrong ones at the same time still cannot be more than the limit.
  pending      integer     not null default 0,
  -- When the last of them began; one that never ended belongs to a process that is gone.
  pending_at   timestamptz not null default 'epoch'
);
create index login_failure_window on login_failure (window_start);

-- Where somebody has signed in before: from there, attempts of others do not keep the account closed.
create table login_place (
  user_id        text        not null references person on delete cascade,
  source_address text        not null,
  last_login_at  timestamptz not null,
  primary key (user_id, source_address)
);

create table password_history (
  user_id       text        not null references person on delete cascade,
  password_hash text        not null,
  created_at    timestamptz not null
);
create index password_history_user on password_history (user_id, created_at desc);

-- Mail domains tell how an address signs in without telling whether it has an account.
create table mail_domain (
  domain text primary key check (domain = lower(domain) and domain ~ '^[^\s@]+$'),
  org_id text not null references organization on delete cascade
);
create index mail_domain_org on mail_domain (org_id);

create table organization_directory (
  org_id          text        primary key references organization on delete cascade,
  host            text        not null,
  port            integer     not null check (port between 1 and 65535),
  security        text        not null check (security in ('plain', 'starttls', 'ldaps')),
  -- Certificate authorities of the server in PEM; those of the system when empty.
  ca_certificate  text        not null default '',
  base_dn         text        not null,
  -- LDAP filter with {email} for the escaped address.
  user_filter     text        not null,
  bind_dn         text        not null default '',
  sealed_password text,
  changed_at      timestamptz not null
);

-- An authenticator app. Unconfirmed until a code of it was right once.
create table totp_factor (
  user_id       text        primary key references person on delete cascade,
  sealed_secret text        not null,
  created_at    timestamptz not null,
  -- The 30 s step of the last code that was taken; it and all before it are used up.
  last_step     bigint      not null
);

create table recovery_code (
  user_id   text        not null references person on delete cascade,
  code_hash bytea       not null,
  used_at   timestamptz,
  primary key (user_id, code_hash)
);

create table passkey (
  credential_id text        primary key,
  user_id       text        not null references person on delete cascade,
  name          text        not null,
  public_key    bytea       not null,
  counter       bigint      not null,
  transports    text[]      not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz
);
create index passkey_user on passkey (user_id);

-- A sign-in whose first step was right, waiting for the second. Only a hash of its token is kept.
create table sign_in_challenge (
  token_hash      bytea       primary key,
  user_id         text        not null references person on delete cascade,
  method          text        not null check (method in ('password', 'ldap', 'saml', 'oidc')),
  source_address  text        not null,
  user_agent      text        not null,
  expires_at      timestamptz not null,
  attempts        integer     not null default 0,
  -- The secret offered for enrolment; becomes the user's with the first right code.
  sealed_secret   text,
  mail_code_hash  bytea,
  mail_expires_at timestamptz,
  mails_sent      integer     not null default 0,
  mail_sent_at    timestamptz,
  -- What the authenticator has to sign.
  passkey_nonce   text
);
create index sign_in_challenge_expires on sign_in_challenge (expires_at);
create index sign_in_challenge_user on sign_in_challenge (user_id);

-- What somebody signed in has begun and not yet confirmed: an authenticator app, a passkey.
create table factor_offer (
  user_id      text        not null references person on delete cascade,
  kind         text        not null check (kind in ('totp', 'passkey')),
  -- The sealed secret of the app, or the nonce for the authenticator.
  sealed_value text        not null,
  expires_at   timestamptz not null,
  primary key (user_id, kind)
);

-- Links to set a password. Used once; a new one ends those before it.
create table password_link (
  token_hash bytea       primary key,
  user_id    text        not null references person on delete cascade,
  -- `set`: the first password; `forgot`: asked for by the user; `reset`: sent by an administrator.
  kind       text        not null check (kind in ('set', 'forgot', 'reset')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index password_link_user on password_link (user_id);

revoke all on session, login_failure, login_place, password_history, mail_domain, organization_directory, totp_factor,
  recovery_code, passkey, sign_in_challenge, factor_offer, password_link from tyrian_tenant;
