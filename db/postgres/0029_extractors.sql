-- Extractors of tenants: how the lines of a source become events. Those that come with Tyrian stand in content/extractors; of
-- them a tenant has only which are off.

-- The number that the tenant gave last; none is given twice.
create table extractor_counter (
  cluster_id text    primary key,
  last_id    integer not null
);
select tyrian_secure('extractor_counter');

create table extractor (
  cluster_id   text        not null,
  extractor_id integer     not null check (extractor_id > 10000),
  -- From the definition: of the published one, else of the draft.
  name         text        not null,
  source_name  text        not null,
  source_type  text        not null,
  author       text        not null,
  cloned_from  integer,
  -- Of the published one; 0 and empty before the first.
  version      integer     not null default 0,
  yaml         text        not null default '',
  enabled      boolean     not null default false,
  draft        text,
  draft_by     text,
  -- Counts changes; a change names the one that it saw.
  revision     integer     not null default 1,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (cluster_id, extractor_id)
);
select tyrian_secure('extractor');

create table extractor_version (
  cluster_id   text        not null,
  extractor_id integer     not null,
  version      integer     not null,
  yaml         text        not null,
  comment      text        not null,
  author       text        not null,
  created_at   timestamptz not null,
  primary key (cluster_id, extractor_id, version),
  foreign key (cluster_id, extractor_id) references extractor on delete cascade
);
select tyrian_secure('extractor_version');

-- Lines of events belong to the scope in which they were given.
create table extractor_sample (
  cluster_id   text        not null,
  extractor_id integer     not null,
  scope_id     text        not null,
  samples      jsonb       not null,
  primary key (cluster_id, extractor_id, scope_id),
  foreign key (cluster_id, extractor_id) references extractor on delete cascade
);
select tyrian_secure('extractor_sample');

-- Those that come with Tyrian and are off in the tenant.
create table extractor_off (
  cluster_id   text        not null,
  extractor_id integer     not null check (extractor_id between 1 and 10000),
  changed_by   text        not null,
  changed_at   timestamptz not null,
  primary key (cluster_id, extractor_id)
);
select tyrian_secure('extractor_off');

-- Numbers the readings of stored events: events carry the number of theirs.
create sequence event_reading as bigint maxvalue 4294967295;

-- Stored events that are read again. A run is worked on unit by unit: a stretch of minutes of one partition. Each step of a
-- unit can be done twice (docs/decisions/0029-reading-stored-events-again.md).
create table reparse (
  cluster_id      text        not null,
  scope_id        text        not null,
  reparse_id      text        not null,
  state           text        not null check (state in ('waiting', 'running', 'done', 'failed', 'canceled')),
  -- Of job_run: the one that works on it now or next.
  run_id          bigint,
  -- Time of arrival, half-open.
  from_at         timestamptz not null,
  until_at        timestamptz not null,
  source          text,
  which           text        not null check (which in ('unparsed', 'all')),
  with_detections boolean     not null,
  total_count     bigint      not null,
  done_count      bigint      not null default 0,
  changed_count   bigint      not null default 0,
  unparsed_count  bigint      not null default 0,
  -- Up to where it has come: the partition and the minute of it.
  partition       text        not null default '',
  covered_at      timestamptz,
  -- The unit that is being replaced: {reading, partition, from, to, …}; null between two.
  unit            jsonb,
  error           text,
  author          text        not null,
  author_id       text        not null,
  created_at      timestamptz not null,
  ended_at        timestamptz,
  primary key (cluster_id, scope_id, reparse_id)
);
create index reparse_by_time on reparse (cluster_id, scope_id, created_at desc, reparse_id);
create index reparse_open on reparse (cluster_id, scope_id) where ended_at is null;
create index reparse_age on reparse (created_at);
create index reparse_midway on reparse (ended_at) where unit is not null;
select tyrian_secure('reparse');
-- Upkeep removes old ones over all tenants, and finds those that stopped midway, and asks for that by name.
create policy reparse_upkeep on reparse to current_user
  using (current_setting('tyrian.sweep', true) = 'reparse_upkeep');
