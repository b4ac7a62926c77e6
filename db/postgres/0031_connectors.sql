-- Connectors: what brings events of a source into a scope. Senders push to some; others fetch, each by one process at a
-- time that holds a lease.

-- A source whose events a connector fetches has neither token nor senders. One that is paused takes nothing in.
alter table ingest_source drop constraint ingest_source_kind_check;
alter table ingest_source add constraint ingest_source_kind_check check (kind in ('http', 'syslog', 'pull'));
alter table ingest_source add column paused_at timestamptz;

create table connector (
  cluster_id        text        not null,
  connector_id      text        not null,
  scope_id          text        not null,
  kind              text        not null,
  engine            text        not null check (engine in ('push', 'http', 's3', 'kafka')),
  name              text        not null,
  source_id         text        not null,
  config            jsonb       not null,
  -- JSON of names and values, sealed for this connector.
  sealed_secrets    text,
  secret_names      text[]      not null default '{}',
  revision          integer     not null default 1,
  is_wanted         boolean     not null default true,
  validation        text        not null check (validation in ('pending', 'ok', 'failed')),
  -- Stored texts.
  validation_reason text,
  validated_at      timestamptz,
  -- Failed turns in a row, and why the last one failed.
  failures          integer     not null default 0,
  failure           text,
  is_failed         boolean     not null default false,
  -- How far it has read; what was stored is behind it.
  position          jsonb,
  -- What was fetched and may or may not be stored already: lines packed with gzip, the key under which they are stored
  -- once, and the position behind them. Empty between two pieces.
  pending           bytea,
  pending_key       text,
  pending_position  jsonb,
  -- When it has something to do; empty while it is stopped.
  due_at            timestamptz,
  lease_owner       text,
  leased_until_at   timestamptz,
  created_by        text        not null,
  created_at        timestamptz not null,
  changed_at        timestamptz not null,
  primary key (cluster_id, connector_id),
  foreign key (cluster_id, source_id) references ingest_source on delete cascade
);
create index connector_by_scope on connector (cluster_id, scope_id);
create index connector_source on connector (cluster_id, source_id);
create index connector_due on connector (due_at) where due_at is not null;
create index connector_leases on connector (lease_owner) where lease_owner is not null;
select tyrian_secure('connector');
-- Due ones are claimed over all tenants, and leases renewed.
create policy connector_leases on connector to current_user
  using (current_setting('tyrian.sweep', true) = 'connectors')
  with check (current_setting('tyrian.sweep', true) = 'connectors');
