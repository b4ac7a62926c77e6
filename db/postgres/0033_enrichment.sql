-- What events are enriched with at ingest: networks of the tenant, lists of threat indicators, assets, identities, buckets.
-- All of it belongs to a scope and goes when somebody deletes it.

create table enrichment_table (
  cluster_id  text        not null,
  scope_id    text        not null,
  table_id    text        not null,
  kind        text        not null check (kind in ('networks', 'indicators', 'assets', 'identities', 'bucket')),
  name        text        not null,
  enabled     boolean     not null,
  -- Columns of the event that are looked up; of networks and indicators they are given.
  columns     text[]      not null default '{}',
  -- How the last upload was read: {format, keyColumn, confidence, expires}.
  reading     jsonb       not null default '{}',
  -- Of a bucket: as its author wrote it.
  yaml        text        not null default '',
  -- Of the content; events name it.
  version     integer     not null default 0,
  entries     integer     not null default 0,
  size_bytes  integer     not null default 0,
  -- Prefixes of the networks in it: {"4": […], "6": […]}.
  prefixes    jsonb       not null default '{"4": [], "6": []}',
  built_at    timestamptz,
  -- Why the last build failed, as a stored text.
  build_error text,
  -- Of job_run: the build that runs now or next.
  run_id      bigint,
  revision    integer     not null default 1,
  created_at  timestamptz not null,
  created_by  text        not null,
  changed_at  timestamptz not null,
  changed_by  text        not null,
  primary key (cluster_id, scope_id, table_id)
);
create unique index enrichment_table_name on enrichment_table (cluster_id, scope_id, lower(name));
select tyrian_secure('enrichment_table');

-- The entries, packed as ingest reads them (packages/ingest/src/enrich).
create table enrichment_image (
  cluster_id text  not null,
  scope_id   text  not null,
  table_id   text  not null,
  image      bytea not null,
  primary key (cluster_id, scope_id, table_id),
  foreign key (cluster_id, scope_id, table_id) references enrichment_table on delete cascade
);
select tyrian_secure('enrichment_image');

-- Which set of tables a scope has now: a number that every change makes larger.
create table enrichment_set (
  cluster_id text   not null,
  scope_id   text   not null,
  version    bigint not null,
  primary key (cluster_id, scope_id)
);
select tyrian_secure('enrichment_set');

-- How often a table was looked into and how often it knew something, by day; days older than thirty go with the job
-- `enrichment-upkeep`.
create table enrichment_hit (
  cluster_id text        not null,
  scope_id   text        not null,
  table_id   text        not null,
  day        date        not null,
  looked     bigint      not null,
  found      bigint      not null,
  last_at    timestamptz,
  primary key (cluster_id, scope_id, table_id, day),
  foreign key (cluster_id, scope_id, table_id) references enrichment_table on delete cascade
);
create index enrichment_hit_by_day on enrichment_hit (day);
select tyrian_secure('enrichment_hit');

-- Indicators looked for in events that are stored already. Hunts and what they found are kept for thirty days.
create table indicator_hunt (
  cluster_id  text        not null,
  scope_id    text        not null,
  hunt_id     text        not null,
  table_id    text        not null,
  table_name  text        not null,
  state       text        not null check (state in ('waiting', 'running', 'done', 'failed', 'canceled')),
  run_id      bigint,
  -- Event time, half-open; worked on from the end to the beginning.
  from_at     timestamptz not null,
  until_at    timestamptz not null,
  -- Everything from here to the end of the range has been looked at.
  covered_at  timestamptz not null,
  indicators  integer     not null default 0,
  found       bigint      not null default 0,
  error       text,
  author      text        not null,
  author_id   text        not null,
  created_at  timestamptz not null,
  ended_at    timestamptz,
  primary key (cluster_id, scope_id, hunt_id)
);
create index indicator_hunt_by_time on indicator_hunt (cluster_id, scope_id, created_at desc, hunt_id);
create index indicator_hunt_age on indicator_hunt (created_at);
select tyrian_secure('indicator_hunt');

-- What was found: of each indicator and column how many events, with the first and the last of them.
create table indicator_find (
  cluster_id text        not null,
  scope_id   text        not null,
  hunt_id    text        not null,
  indicator  text        not null,
  field      text        not null,
  value      text        not null,
  category   text        not null default '',
  confidence integer     not null,
  events     bigint      not null,
  first_at   timestamptz not null,
  last_at    timestamptz not null,
  primary key (cluster_id, scope_id, hunt_id, indicator, field, value),
  foreign key (cluster_id, scope_id, hunt_id) references indicator_hunt on delete cascade
);
select tyrian_secure('indicator_find');

-- See all_events in 0001_platform.sql.
create policy enrichment_upkeep on enrichment_hit to current_user
  using (current_setting('tyrian.sweep', true) = 'enrichment_upkeep');
create policy enrichment_upkeep on indicator_hunt to current_user
  using (current_setting('tyrian.sweep', true) = 'enrichment_upkeep');
-- Buckets that are due are found over all tenants.
create policy enrichment_due on enrichment_table to current_user
  using (current_setting('tyrian.sweep', true) = 'enrichment_due');
