-- What every feature stands on: the role of tenant work, row-level security, components, settings.

-- Tenant work runs as this role. It owns nothing and cannot log in; row-level security binds it.
do $$
begin
  if not exists (select from pg_roles where rolname = 'tyrian_tenant') then
    create role tyrian_tenant nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;

do $$
begin
  -- So that the connected user may switch to it; a superuser may anyway.
  execute format('grant tyrian_tenant to %I', current_user);
exception when insufficient_privilege or invalid_grant_operation then null;
end $$;

grant usage on schema public to tyrian_tenant;
alter default privileges in schema public grant select, insert, update, delete on tables to tyrian_tenant;
alter default privileges in schema public grant usage, select on sequences to tyrian_tenant;

-- Puts a table of tenants under row-level security: only rows of the tenant that the transaction is bound to.
-- The table must have `cluster_id text not null`. Call it once, after CREATE TABLE.
create function tyrian_secure(table_name regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', table_name);
  execute format('alter table %s force row level security', table_name);
  execute format(
    'create policy tenant_rows on %s using (cluster_id = current_setting(''tyrian.cluster_id'', true)) '
    'with check (cluster_id = current_setting(''tyrian.cluster_id'', true))', table_name);
end $$;

-- Each running role of a process.
create table component (
  id           text primary key,
  role         text   not null,
  host         text   not null,
  process_id   integer not null,
  version      text   not null,
  state        text   not null,
  details      jsonb  not null default '{}',
  started_ms   bigint not null,
  heartbeat_ms bigint not null
);

create table platform_setting (
  name       text primary key,
  value      jsonb  not null,
  updated_ms bigint not null default (extract(epoch from now()) * 1000)::bigint
);
