-- Tables that were uploaded into a scope; their rows are in ClickHouse (eventstore_rows).

create table eventstore (
  cluster_id  text        not null,
  scope_id    text        not null,
  store_id    text        not null,
  name        text        not null,
  description text        not null default '',
  -- Name and format of the file that was uploaded last.
  file_name   text        not null default '',
  format      text        not null,
  -- [{name, type}] in the order of the cells.
  columns     jsonb       not null,
  -- The uploads whose rows count, in order.
  uploads     text[]      not null default '{}',
  row_count   integer     not null default 0,
  size_bytes  bigint      not null default 0,
  revision    integer     not null default 1,
  author      text        not null,
  created_at  timestamptz not null,
  changed_by  text        not null,
  changed_at  timestamptz not null,
  primary key (cluster_id, scope_id, store_id)
);
-- Queries name tables by their case, but two that differ in nothing else would be mixed up.
create unique index eventstore_name on eventstore (cluster_id, scope_id, lower(name));
select tyrian_secure('eventstore');

-- What was uploaded. The file is here until its rows are stored; rows of an upload that is over are removed, and then it.
create table eventstore_upload (
  cluster_id text        not null,
  scope_id   text        not null,
  store_id   text        not null,
  upload_id  text        not null,
  mode       text        not null check (mode in ('create', 'replace', 'append')),
  state      text        not null check (state in ('waiting', 'running', 'done', 'failed', 'over')),
  file_name  text        not null,
  format     text        not null,
  -- [{name, type}] as they were asked for, by the columns of the file; null: as guessed.
  columns    jsonb,
  body       bytea,
  rows_done  integer     not null default 0,
  rows_total integer     not null default 0,
  size_bytes bigint      not null,
  -- Why it failed, as a stored text.
  error      text,
  author     text        not null,
  author_id  text        not null,
  created_at timestamptz not null,
  ended_at   timestamptz,
  -- Of an upload that is over: since when none of its rows are left.
  rows_removed_at timestamptz,
  primary key (cluster_id, scope_id, upload_id)
);
create index eventstore_upload_by_store on eventstore_upload (cluster_id, scope_id, store_id, created_at desc);
create index eventstore_upload_ended on eventstore_upload (ended_at) where state in ('failed', 'over') and rows_removed_at is null;
create index eventstore_upload_open on eventstore_upload (created_at) where state in ('waiting', 'running');
select tyrian_secure('eventstore_upload');
-- Upkeep looks over all tenants for uploads whose rows are to go, and asks for that by name.
create policy eventstore_upkeep on eventstore_upload to current_user
  using (current_setting('tyrian.sweep', true) = 'eventstore_upkeep');
