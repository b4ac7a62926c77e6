-- Who there is and what they may reach. These tables belong to the platform: a sign-in spans tenants, so they
-- are not under row-level security, and the role of tenant work has no right to them at all.

create table organization (
  org_id               text        primary key,
  name                 text        not null,
  auth_type            text        not null default 'standard' check (auth_type in ('standard', 'mfa', 'sso', 'ldap')),
  -- Idle time after which a session of its people ends.
  session_timeout_min  integer     not null default 60 check (session_timeout_min between 30 and 7200),
  status               text        not null default 'enabled' check (status in ('enabled', 'disabled')),
  created_at           timestamptz not null,
  -- What may be a second factor; without an authenticator app or mail nobody could enrol at a sign-in.
  otp_methods          text[]      not null default '{totp,passkey}'
    check (otp_methods <@ '{totp,mail,passkey}' and otp_methods && '{totp,mail}'),
  -- `mfa` always asks for a second factor; this asks for it after a directory or another identity provider too.
  second_factor_always boolean     not null default false,
  -- Time after which a session ends whatever the activity.
  session_max_min      integer     not null default 720 check (session_max_min between 30 and 43200),
  -- Set by single sign-on once it is configured; tells the sign-in page what to offer.
  sso_kind             text        check (sso_kind in ('saml', 'oidc'))
);
create unique index organization_name on organization (lower(name));

create table tenant (
  cluster_id       text        primary key check (cluster_id ~ '^[A-Za-z0-9_-]{1,64}$' and cluster_id <> 'admin'),
  cluster_name     text        not null,
  product_type     text        not null check (product_type in ('essential', 'professional', 'enterprise')),
  license_type     text        not null default 'open' check (license_type in ('open', 'trial', 'subscription')),
  created_at       timestamptz not null,
  -- Null: without end.
  license_until    timestamptz,
  eula_accepted_at timestamptz,
  eula_accepted_by text,
  -- False between connecting a cluster and setting it up.
  is_set_up        boolean     not null default true
);
create unique index tenant_name on tenant (lower(cluster_name));

-- Whose people may be given access to a tenant. One primary organization, any number of others.
create table tenant_organization (
  cluster_id text    not null references tenant on delete cascade,
  org_id     text    not null references organization,
  is_primary boolean not null,
  primary key (cluster_id, org_id)
);
create unique index tenant_primary_organization on tenant_organization (cluster_id) where is_primary;
create index tenant_organization_org on tenant_organization (org_id);

create table scope (
  cluster_id text        not null references tenant on delete cascade,
  scope_id   text        not null check (scope_id ~ '^[A-Za-z0-9_-]{1,64}$' and scope_id <> 'admin'),
  scope_name text        not null,
  is_enabled boolean     not null default true,
  created_at timestamptz not null,
  primary key (cluster_id, scope_id)
);
-- A scope id means one scope on the whole platform, so a mixed-up pair of ids can never name a real place.
create unique index scope_id_once on scope (scope_id);
create unique index scope_name_once on scope (cluster_id, lower(scope_name));

create table person (
  user_id             text        primary key,
  org_id              text        not null references organization,
  email               text        not null,
  name                text        not null check (lower(btrim(name)) not in ('', 'system')),
  phone               text,
  user_type           text        not null check (user_type in ('general', 'org_admin', 'content_manager', 'root')),
  -- A root user who may look but not change.
  root_viewer         boolean     not null default false,
  status              text        not null default 'enabled' check (status in ('enabled', 'disabled')),
  password_hash       text        not null,
  password_changed_at timestamptz not null,
  mfa_enabled         boolean     not null default false,
  eula_accepted_at    timestamptz,
  policy_accepted_at  timestamptz,
  locale              text        not null default 'en-US' check (locale in ('en-US', 'fr-FR', 'ru-RU', 'zh-CN')),
  created_at          timestamptz not null,
  last_login_at       timestamptz,
  -- Which versions of the licence agreement and of the privacy policy were accepted: a new version asks again.
  eula_version        integer     not null default 0,
  policy_version      integer     not null default 0,
  check (not root_viewer or user_type = 'root')
);
create unique index person_email on person (lower(email));
create index person_org on person (org_id);
-- Finds the users whose address is in a mail domain.
create index person_mail_domain on person (split_part(lower(email), '@', 2));

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

-- A number that goes up with every change of what people may reach. A process that has read an access record may use it
-- again as long as the number is the same: a right that is taken away is gone with the next call all the same.

create table access_version (
  only_one boolean primary key default true check (only_one),
  version  bigint  not null
);
insert into access_version (version) values (1);

-- Runs with the rights of its owner: scopes are also changed by the role that sees one tenant alone.
create function count_access_change() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update access_version set version = version + 1;
  return null;
end $$;

create trigger access_change after insert or update or delete on tenant
  for each statement execute function count_access_change();
create trigger access_change after insert or update or delete on scope
  for each statement execute function count_access_change();
create trigger access_change after insert or update or delete on tenant_access
  for each statement execute function count_access_change();
create trigger access_change after insert or update or delete on scope_access
  for each statement execute function count_access_change();
-- Signing in writes to a person too, and changes nothing of this.
create trigger access_change after delete or update of
    org_id, email, name, user_type, root_viewer, mfa_enabled, locale, eula_version, policy_version on person
  for each statement execute function count_access_change();

revoke all on organization, tenant, tenant_organization, scope, person, tenant_access, scope_access, access_version
  from tyrian_tenant;
