-- Who there is and what they may reach. These tables belong to the platform: a sign-in spans tenants, so they
-- are not under row-level security, and the role of tenant work has no right to them at all.

create table organization (
  org_id              text primary key,
  name                text not null,
  auth_type           text not null default 'standard' check (auth_type in ('standard', 'mfa', 'sso', 'ldap')),
  -- Idle time after which a session of its people ends.
  session_timeout_min integer not null default 60 check (session_timeout_min between 30 and 7200),
  status              text not null default 'enabled' check (status in ('enabled', 'disabled')),
  created_ms          bigint not null
);
create unique index organization_name on organization (lower(name));

create table tenant (
  cluster_id   text primary key check (cluster_id ~ '^[A-Za-z0-9_-]{1,64}$' and cluster_id <> 'admin'),
  cluster_name text not null,
  product_type text not null check (product_type in ('essential', 'professional', 'enterprise')),
  license_type text not null default 'open' check (license_type in ('open', 'trial', 'subscription')),
  created_ms   bigint not null
);
create unique index tenant_name on tenant (lower(cluster_name));

-- Whose people may be given access to a tenant. One primary organization, any number of others.
create table tenant_organization (
  cluster_id text not null references tenant on delete cascade,
  org_id     text not null references organization,
  is_primary boolean not null,
  primary key (cluster_id, org_id)
);
create unique index tenant_primary_organization on tenant_organization (cluster_id) where is_primary;
create index tenant_organization_org on tenant_organization (org_id);

create table scope (
  cluster_id text not null references tenant on delete cascade,
  scope_id   text not null check (scope_id ~ '^[A-Za-z0-9_-]{1,64}$' and scope_id <> 'admin'),
  scope_name text not null,
  is_enabled boolean not null default true,
  created_ms bigint not null,
  primary key (cluster_id, scope_id)
);
-- A scope id means one scope on the whole platform, so a mixed-up pair of ids can never name a real place.
create unique index scope_id_once on scope (scope_id);
create unique index scope_name_once on scope (cluster_id, lower(scope_name));

create table person (
  user_id             text primary key,
  org_id              text not null references organization,
  email               text not null,
  name                text not null check (lower(btrim(name)) not in ('', 'system')),
  phone               text,
  user_type           text not null check (user_type in ('general', 'org_admin', 'content_manager', 'root')),
  -- A root user who may look but not change.
  root_viewer         boolean not null default false,
  status              text not null default 'enabled' check (status in ('enabled', 'disabled')),
  password_hash       text not null,
  password_changed_ms bigint not null,
  mfa_enabled         boolean not null default false,
  eula_accepted_ms    bigint,
  policy_accepted_ms  bigint,
  locale              text not null default 'en-US' check (locale in ('en-US', 'fr-FR', 'ru-RU', 'zh-CN')),
  created_ms          bigint not null,
  last_login_ms       bigint,
  check (not root_viewer or user_type = 'root')
);
create unique index person_email on person (lower(email));
create index person_org on person (org_id);

create table password_history (
  user_id       text not null references person on delete cascade,
  password_hash text not null,
  created_ms    bigint not null
);
create index password_history_user on password_history (user_id, created_ms desc);

create table tenant_access (
  user_id     text not null references person on delete cascade,
  cluster_id  text not null references tenant on delete cascade,
  access_type text not null check (access_type in ('Administrator', 'Custom', 'No Access')),
  primary key (user_id, cluster_id)
);
create index tenant_access_cluster on tenant_access (cluster_id);

-- Hangs on tenant_access: whoever is disconnected from a tenant loses the roles in its scopes with it.
create table scope_access (
  user_id    text not null,
  cluster_id text not null,
  scope_id   text not null,
  role       text not null check (role in ('Viewer', 'Security Analyst', 'Security Engineer')),
  primary key (user_id, cluster_id, scope_id),
  foreign key (user_id, cluster_id) references tenant_access on delete cascade,
  foreign key (cluster_id, scope_id) references scope on delete cascade
);
create index scope_access_scope on scope_access (cluster_id, scope_id);

-- Only a hash of the session id is kept: who reads this table cannot use a session.
create table session (
  ssid_hash      bytea primary key,
  user_id        text not null references person on delete cascade,
  created_ms     bigint not null,
  last_seen_ms   bigint not null,
  -- The absolute end, whatever the activity.
  expires_ms     bigint not null,
  source_address text not null
);
create index session_of_user on session (user_id);
create index session_expires on session (expires_ms);

-- Failed sign-ins, counted by a hash of what was tried (account and address, account, address).
create table login_failure (
  key_hash     bytea primary key,
  failures     integer not null,
  -- The counting starts afresh when the window is over.
  window_ms    bigint not null,
  locked_until_ms bigint not null default 0
);
create index login_failure_window on login_failure (window_ms);

-- Where somebody has signed in before: from there, attempts of others do not keep the account closed.
create table login_place (
  user_id        text not null references person on delete cascade,
  source_address text not null,
  last_login_ms  bigint not null,
  primary key (user_id, source_address)
);

create table audit_entry (
  audit_id   bigint generated always as identity primary key,
  created_ms bigint not null,
  source     text not null,
  -- Who; kept as text so that it outlives the account.
  user_id    text,
  user_name  text not null,
  org_id     text,
  cluster_id text,
  scope_id   text,
  action     text not null,
  entity     text not null default '',
  details    jsonb not null default '{}'
);
create index audit_entry_cluster on audit_entry (cluster_id, created_ms desc);
create index audit_entry_org on audit_entry (org_id, created_ms desc);
create index audit_entry_created on audit_entry (created_ms desc);

revoke all on organization, tenant, tenant_organization, scope, person, password_history, tenant_access,
  scope_access, session, login_failure, login_place, audit_entry from tyrian_tenant;
revoke all on sequence audit_entry_audit_id_seq from tyrian_tenant;
