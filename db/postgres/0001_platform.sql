-- What every feature stands on: the role of tenant work, row-level security, components, settings, what happens.

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
  id           text        primary key,
  role         text        not null,
  host         text        not null,
  process_id   integer     not null,
  version      text        not null,
  state        text        not null,
  details      jsonb       not null default '{}',
  started_at   timestamptz not null,
  heartbeat_at timestamptz not null
);

create table platform_setting (
  name       text        primary key,
  value      jsonb       not null,
  updated_at timestamptz not null default now()
);

-- What the processes that run queries want of the places of each queue. Nothing of it outlives its seconds.
create unlogged table query_share (
  process_id text        primary key,
  -- Queries that run or wait, by queue.
  wanted     jsonb       not null,
  renewed_at timestamptz not null
);
revoke all on query_share from tyrian_tenant;

-- What has happened in tenants, written in the transaction of the act, for whoever follows up on it: notifications, live
-- updates of the console, and later mails, automation, entity risk. Every consumer keeps its own position.

create table domain_event (
  -- Stands before event_id, so that whoever has a number has a transaction id already: see event_consumer.
  transaction_id xid8        not null default pg_current_xact_id(),
  event_id       bigint      generated always as identity primary key,
  cluster_id     text        not null,
  scope_id       text        not null,
  -- For example `signal.raised`, `case.assigned`.
  kind           text        not null,
  -- The signal, case, rule or source that it happened to.
  object_id      text        not null,
  -- Whoever did it; null for the product itself.
  actor_id       text,
  actor_name     text,
  details        jsonb       not null default '{}',
  created_at     timestamptz not null
);
select tyrian_secure('domain_event');
-- What is new in a scope since a console last asked.
create index domain_event_scope on domain_event (cluster_id, scope_id, transaction_id);
create index domain_event_age on domain_event (created_at);

-- Consumers read the events of all tenants in one statement, which the program asks for by name. Transactions of tenants
-- run as another role and never see this policy.
create policy all_events on domain_event to current_user
  using (current_setting('tyrian.sweep', true) = 'domain_event')
  with check (current_setting('tyrian.sweep', true) = 'domain_event');

-- Numbers are given when an event is written and become visible when its transaction ends, in whatever order. A consumer
-- may go up to a number only when no transaction is open that may still bring a smaller one: it marks the highest number
-- given so far with the id of its own transaction, and once every transaction up to that id has ended the mark is settled.
create table event_consumer (
  name       text        primary key,
  -- The last event that was handled.
  position   bigint      not null,
  -- Everything up to here is visible or will never be.
  settled_id bigint      not null,
  mark_id    bigint      not null default 0,
  mark_xid   xid8,
  -- Attempts of the event after `position` that failed; how many events were given up after too many of them.
  failures   integer     not null default 0,
  retry_at   timestamptz not null default 'epoch',
  given_up   bigint      not null default 0
);
revoke all on event_consumer from tyrian_tenant;
