-- Single sign-on: the identity provider of each organization, sign-ins under way, and what a logout needs to know.
-- Platform tables, as those of 0002_identity.sql.

create table sso_provider (
  org_id        text        primary key references organization on delete cascade,
  kind          text        not null check (kind in ('saml', 'oidc')),
  -- What the provider says of itself; its secret stands sealed beside it.
  settings      jsonb       not null,
  sealed_secret text,
  changed_at    timestamptz not null
);

-- The key with which this installation signs its messages to providers. One for all organizations.
create table sso_signing_key (
  only_one    boolean     primary key default true check (only_one),
  sealed_key  text        not null,
  certificate text        not null,
  created_at  timestamptz not null
);

-- A sign-in under way. Its id is the SAML request id or the OpenID Connect state; it is used once, which is what
-- makes an answer that is sent again worthless.
create table sso_request (
  request_id   text        primary key,
  org_id       text        not null references organization on delete cascade,
  kind         text        not null check (kind in ('saml', 'oidc')),
  -- Hash of the cookie of the browser that began: no other browser can go on.
  browser_hash bytea       not null,
  -- Verifier and nonce of OpenID Connect.
  sealed_state text,
  expires_at   timestamptz not null
);
create index sso_request_expires on sso_request (expires_at);

-- What a sign-in at the provider ended with, until the browser exchanges it for a session. Only a hash is kept.
create table sso_ticket (
  token_hash   bytea       primary key,
  user_id      text        not null references person on delete cascade,
  kind         text        not null check (kind in ('saml', 'oidc')),
  browser_hash bytea       not null,
  expires_at   timestamptz not null
);
create index sso_ticket_expires on sso_ticket (expires_at);

-- Who the user is at the provider, as of the last sign-in: a logout has to say it.
create table sso_subject (
  user_id       text        primary key references person on delete cascade,
  org_id        text        not null references organization on delete cascade,
  kind          text        not null check (kind in ('saml', 'oidc')),
  name_id       text        not null,
  name_format   text,
  session_index text,
  seen_at       timestamptz not null
);
create index sso_subject_name on sso_subject (org_id, name_id);

revoke all on sso_provider, sso_signing_key, sso_request, sso_ticket, sso_subject from tyrian_tenant;
