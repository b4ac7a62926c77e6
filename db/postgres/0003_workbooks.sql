-- Workbooks with their versions and folders. A workbook of Tyrian's own (native) has no scope: every scope of
-- the tenant sees it; whether it runs in a scope stands in `rule` (0009_ledger.sql).

create table workbook (
  cluster_id       text    not null,
  workbook_id      text    not null,
  scope_id         text,
  name             text    not null,
  directory        text    not null default '',
  description      text    not null default '',
  stage            text    not null,
  mode             text    not null,
  cron             text,
  timezone         text    not null default 'UTC',
  lookback_minutes integer not null default 0,
  tags             text[]  not null default '{}',
  streams          text[]  not null default '{}',
  blocks           jsonb   not null default '[]',
  detection        boolean not null default false,
  score            integer,
  confidence       text,
  tactic           text    not null default '',
  technique        text    not null default '',
  sub_technique    text    not null default '',
  native           boolean not null default false,
  native_hash      text,
  author           text    not null,
  author_id        text    not null,
  version          integer not null,
  locked_by        text,
  locked_by_id     text,
  locked_ms        bigint,
  created_ms       bigint  not null,
  updated_ms       bigint  not null,
  -- Kept after deletion so that the signals it raised still find their knowledge base.
  deleted_ms       bigint,
  primary key (cluster_id, workbook_id),
  check (native = (scope_id is null))
);
create index workbook_by_scope on workbook (cluster_id, scope_id) where deleted_ms is null;
select tyrian_secure('workbook');

create table workbook_version (
  cluster_id     text    not null,
  workbook_id    text    not null,
  version        integer not null,
  author         text    not null,
  author_id      text    not null,
  commit_message text    not null,
  saved_ms       bigint  not null,
  draft          jsonb   not null,
  primary key (cluster_id, workbook_id, version),
  foreign key (cluster_id, workbook_id) references workbook on delete cascade
);
select tyrian_secure('workbook_version');

create table workbook_directory (
  cluster_id text   not null,
  scope_id   text   not null,
  path       text   not null,
  created_by text   not null,
  created_ms bigint not null,
  primary key (cluster_id, scope_id, path)
);
select tyrian_secure('workbook_directory');
