-- Administration of tenants: engines of their own, what is kept for how long, switches, and who is told about
-- components.

-- A ClickHouse of the tenant's own. Where a tenant's events stand is decided when it is connected and never
-- changes; only the accounts may.
create table tenant_engine (
  cluster_id    text        primary key references tenant on delete cascade,
  url           text        not null,
  -- The names and passwords of both accounts, sealed.
  sealed_access text        not null,
  changed_at    timestamptz not null
);

-- How long the events of a stream are kept: per scope, or for the whole tenant where scope_id is empty. The stream
-- '' stands for every stream that has no row of its own.
create table stream_config (
  cluster_id     text        not null,
  scope_id       text        not null default '',
  stream         text        not null default '',
  retention_days integer     not null check (retention_days between 1 and 3650),
  changed_at     timestamptz not null,
  changed_by     text        not null,
  primary key (cluster_id, scope_id, stream)
);
select tyrian_secure('stream_config');
-- Sweeps ask once for all tenants where there is something to do; see all_events in 0001_platform.sql.
create policy retention on stream_config for select to current_user
  using (current_setting('tyrian.sweep', true) = 'retention');

-- Switches of the platform that differ from their default; cluster_id is empty for the value of all clusters.
create table switch_value (
  name       text        not null,
  cluster_id text        not null default '',
  value      jsonb       not null,
  changed_at timestamptz not null,
  changed_by text        not null,
  primary key (name, cluster_id)
);

-- How a component is called and who is told what about it: by the platform (cluster_id empty) or by a tenant.
create table component_config (
  cluster_id   text    not null default '',
  component    text    not null,
  display_name text    not null default '',
  -- Percentages from which a component counts as degraded.
  cpu_limit    integer not null default 90 check (cpu_limit between 1 and 100),
  memory_limit integer not null default 90 check (memory_limit between 1 and 100),
  disk_limit   integer not null default 90 check (disk_limit between 1 and 100),
  events       text[]  not null default '{}',
  emails       text[]  not null default '{}',
  -- The state that was told last.
  told_state   text,
  primary key (cluster_id, component)
);

revoke all on tenant_engine, switch_value, component_config from tyrian_tenant;
