-- Workbooks with their versions and folders. A workbook of Tyrian's own (native) has no scope: every scope of
-- the tenant sees it; whether it runs in a scope stands in `rule` (0011_detections.sql).

-- The text that a search of workbooks looks at: names, descriptions, tags, techniques and the text of every block, in
-- lower case. Line breaks stand as in the text.
create function workbook_block_text(block jsonb) returns text
language sql immutable parallel safe
return concat_ws(' ', block -> 'body' ->> 'name', block -> 'body' ->> 'query', block -> 'body' ->> 'markdown',
  block -> 'body' ->> 'tactic', block -> 'body' ->> 'technique', block -> 'body' ->> 'sub_technique',
  block -> 'body' ->> 'kb', block -> 'body' -> 'tags');

create function workbook_search_text(name text, directory text, description text, tags text[], blocks jsonb)
returns text
language sql immutable parallel safe
return lower(concat_ws(' ', name, directory, description, array_to_string(tags, ' '),
  (select string_agg(workbook_block_text(block), ' ') from jsonb_array_elements(blocks) as each (block))));

create table workbook (
  cluster_id        text        not null,
  workbook_id       text        not null,
  scope_id          text,
  name              text        not null,
  directory         text        not null default '',
  description       text        not null default '',
  stage             text        not null,
  mode              text        not null,
  cron              text,
  timezone          text        not null default 'UTC',
  lookback_minutes  integer     not null default 0,
  tags              text[]      not null default '{}',
  streams           text[]      not null default '{}',
  blocks            jsonb       not null default '[]',
  detection         boolean     not null default false,
  score             integer,
  confidence        text,
  tactic            text        not null default '',
  technique         text        not null default '',
  sub_technique     text        not null default '',
  native            boolean     not null default false,
  native_hash       text,
  author            text        not null,
  author_id         text        not null,
  version           integer     not null,
  locked_by         text,
  locked_by_id      text,
  locked_at         timestamptz,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  -- Kept after deletion so that the signals it raised still find their knowledge base.
  deleted_at        timestamptz,
  -- What a search of workbooks looks at, kept with the row, so that a search reads neither blocks nor versions.
  search_text       text        generated always as
    (workbook_search_text(name, directory, description, tags, blocks)) stored,
  -- Which workbook a clone was made of, and whether it took its place: whoever deletes the clone is then asked whether
  -- the original shall run again.
  cloned_from       text,
  replaced_original boolean     not null default false,
  primary key (cluster_id, workbook_id),
  check (native = (scope_id is null))
);
create index workbook_by_scope on workbook (cluster_id, scope_id) where deleted_at is null;
select tyrian_secure('workbook');

create table workbook_version (
  cluster_id     text        not null,
  workbook_id    text        not null,
  version        integer     not null,
  author         text        not null,
  author_id      text        not null,
  commit_message text        not null,
  saved_at       timestamptz not null,
  draft          jsonb       not null,
  primary key (cluster_id, workbook_id, version),
  foreign key (cluster_id, workbook_id) references workbook on delete cascade
);
select tyrian_secure('workbook_version');

create table workbook_directory (
  cluster_id text        not null,
  scope_id   text        not null,
  path       text        not null,
  created_by text        not null,
  created_at timestamptz not null,
  primary key (cluster_id, scope_id, path)
);
select tyrian_secure('workbook_directory');
