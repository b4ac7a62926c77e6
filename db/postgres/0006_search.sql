-- Searches: tasks with their rows, what each user searched, and the fields that events were seen to have.

-- A task belongs to the tenant and to the user who made it. Its rows live in search_task_chunk until it expires.
create table search_task (
  cluster_id    text    not null,
  id            text    not null,
  user_id       text    not null,
  scope_id      text    not null,
  query_id      text    not null,
  queue         text    not null,
  stage         text    not null,
  state         text    not null,
  message       text    not null default '',
  diagnostics   jsonb   not null default '[]',
  notices       jsonb   not null default '[]',
  columns       jsonb   not null default '[]',
  streams       jsonb   not null default '[]',
  range_from_ms bigint,
  range_to_ms   bigint,
  row_count     integer not null default 0,
  truncated     boolean not null default false,
  rows_read     bigint  not null default 0,
  bytes_read    bigint  not null default 0,
  rows_to_read  bigint  not null default 0,
  share         double precision not null default 0,
  engine_ms     integer not null default 0,
  started_ms    bigint  not null,
  -- Moves while the task runs; a running task that stopped moving lost its process.
  heartbeat_ms  bigint  not null,
  ended_ms      bigint,
  expires_ms    bigint  not null,
  primary key (cluster_id, id)
);
create index search_task_expiry on search_task (expires_ms);
select tyrian_secure('search_task');

-- Rows of a task in order, some hundreds a piece, as gzipped JSON.
create table search_task_chunk (
  cluster_id text    not null,
  task_id    text    not null,
  first_row  integer not null,
  row_count  integer not null,
  body       bytea   not null,
  primary key (cluster_id, task_id, first_row),
  foreign key (cluster_id, task_id) references search_task (cluster_id, id) on delete cascade
);
select tyrian_secure('search_task_chunk');

-- What a user searched. An entry that its owner deletes is hidden from the list but kept for the audit.
create table search_history (
  cluster_id     text    not null,
  id             text    not null,
  user_id        text    not null,
  scope_id       text    not null,
  query          text    not null,
  range_from     jsonb   not null,
  range_to       jsonb   not null,
  query_timezone text    not null,
  started_ms     bigint  not null,
  status         text    not null,
  row_count      integer,
  elapsed_ms     integer,
  hidden         boolean not null default false,
  primary key (cluster_id, id)
);
create index search_history_of_user on search_history (cluster_id, user_id, scope_id, started_ms desc);
select tyrian_secure('search_history');

-- Fields inside Ext that recent events had, per scope and stream.
create table seen_field (
  cluster_id   text   not null,
  scope_id     text   not null,
  stream       text   not null,
  path         text   not null,
  type         text   not null,
  example      text   not null default '',
  last_seen_ms bigint not null,
  primary key (cluster_id, scope_id, stream, path)
);
select tyrian_secure('seen_field');
