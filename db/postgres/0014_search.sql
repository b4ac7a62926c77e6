-- Searches: tasks, what each user searched, the fields that events were seen to have, and the texts that people keep.

-- A task belongs to the tenant and to the user who made it. Its rows are event data: they are kept with the events of
-- their tenant until it expires.
create table search_task (
  cluster_id   text        not null,
  id           text        not null,
  user_id      text        not null,
  scope_id     text        not null,
  query_id     text        not null,
  queue        text        not null,
  stage        text        not null,
  state        text        not null,
  message      text        not null default '',
  diagnostics  jsonb       not null default '[]',
  notices      jsonb       not null default '[]',
  columns      jsonb       not null default '[]',
  streams      jsonb       not null default '[]',
  range_from   timestamptz,
  range_to     timestamptz,
  row_count    integer     not null default 0,
  truncated    boolean     not null default false,
  rows_read    bigint      not null default 0,
  bytes_read   bigint      not null default 0,
  rows_to_read bigint      not null default 0,
  share        double precision not null default 0,
  engine_ms    integer     not null default 0,
  started_at   timestamptz not null,
  -- Moves while the task runs; a running task that stopped moving lost its process.
  heartbeat_at timestamptz not null,
  ended_at     timestamptz,
  expires_at   timestamptz not null,
  -- Bytes of the JSON text of the rows that are kept, so that a tenant's can be bounded.
  kept_bytes   bigint      not null default 0,
  primary key (cluster_id, id)
);
create index search_task_expiry on search_task (expires_at);
select tyrian_secure('search_task');
create index search_task_kept on search_task (cluster_id, user_id, started_at) where kept_bytes > 0;
-- How many searches of a user run is asked before each one that does not end at once.
create index search_task_live on search_task (cluster_id, user_id) where stage in ('PENDING', 'EXECUTING');
-- Expired results go whether or not their tenant searches again: one statement over all tenants, which the program asks
-- for by name. Transactions of tenants run as another role and never see this policy.
create policy expired_results on search_task to current_user
  using (current_setting('tyrian.sweep', true) = 'search_task');

-- What a user searched. An entry that its owner deletes is hidden from the list but kept for the audit.
create table search_history (
  cluster_id     text        not null,
  id             text        not null,
  user_id        text        not null,
  scope_id       text        not null,
  query          text        not null,
  range_from     jsonb       not null,
  range_to       jsonb       not null,
  query_timezone text        not null,
  started_at     timestamptz not null,
  status         text        not null,
  row_count      integer,
  elapsed_ms     integer,
  hidden         boolean     not null default false,
  primary key (cluster_id, id)
);
create index search_history_of_user on search_history (cluster_id, user_id, scope_id, started_at desc);
select tyrian_secure('search_history');

-- Fields inside Ext that recent events had, per scope and stream.
create table seen_field (
  cluster_id   text        not null,
  scope_id     text        not null,
  stream       text        not null,
  path         text        not null,
  type         text        not null,
  example      text        not null default '',
  last_seen_at timestamptz not null,
  primary key (cluster_id, scope_id, stream, path)
);
select tyrian_secure('seen_field');

-- What was searched, and fields that events no longer have, go after a time, over all tenants in one statement; see
-- expired_results above.
create policy search_upkeep on search_history to current_user
  using (current_setting('tyrian.sweep', true) = 'search_upkeep');
create policy search_upkeep on seen_field to current_user
  using (current_setting('tyrian.sweep', true) = 'search_upkeep');
create index search_history_by_age on search_history (started_at);
create index seen_field_by_age on seen_field (last_seen_at);

-- Texts that people keep in Find: queries to open again, snippets to put into other queries.

create table saved_query (
  cluster_id  text        not null,
  id          text        not null,
  scope_id    text        not null,
  owner_id    text        not null,
  owner_name  text        not null,
  kind        text        not null check (kind in ('query', 'snippet')),
  name        text        not null,
  description text        not null default '',
  folder      text        not null default '',
  tags        text[]      not null default '{}',
  body        text        not null,
  -- Both null: the query opens with the range that is chosen then.
  range_from  text,
  range_to    text,
  shared      boolean     not null default false,
  version     integer     not null default 1,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  -- A deleted entry can be brought back for a day.
  deleted_at  timestamptz,
  primary key (cluster_id, id)
);
-- Nobody has two entries of one name in a scope; what is deleted does not count.
create unique index saved_query_name on saved_query (cluster_id, scope_id, owner_id, kind, lower(name))
  where deleted_at is null;
create index saved_query_of_scope on saved_query (cluster_id, scope_id, kind);
select tyrian_secure('saved_query');
