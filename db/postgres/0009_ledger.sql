-- The state of every rule (a workbook in a scope) and the ledger of the windows it has evaluated.

create table rule (
  cluster_id         text    not null,
  scope_id           text    not null,
  workbook_id        text    not null,
  enabled            boolean not null default false,
  -- Ingest time from which the rule is covered; null while it does not run.
  covered_from_ms    bigint,
  -- All of [covered_from, covered_until) has been evaluated.
  covered_until_ms   bigint,
  -- Windows that the next evaluation may take in one go while it is behind.
  span               integer not null default 1440,
  failures_in_a_row  integer not null default 0,
  retry_ms           bigint  not null default 0,
  last_error         text,
  -- End of the next window; a rule is due when the watermark has passed it.
  due_ms             bigint  not null default 0,
  windows_done       bigint  not null default 0,
  windows_rerun      bigint  not null default 0,
  rows_total         bigint  not null default 0,
  signals_total      bigint  not null default 0,
  last_run_ms        bigint,
  last_duration_ms   integer,
  -- Windows in which events turned up after they were evaluated: [{from, to}].
  late               jsonb   not null default '[]',
  lease_owner        text,
  lease_until_ms     bigint  not null default 0,
  primary key (cluster_id, scope_id, workbook_id),
  foreign key (cluster_id, workbook_id) references workbook on delete cascade
);
create index rule_due on rule (cluster_id, due_ms) where covered_from_ms is not null;
select tyrian_secure('rule');

-- Half-open in ingest time. Finished windows of a rule never overlap.
create table rule_window (
  cluster_id  text    not null,
  scope_id    text    not null,
  workbook_id text    not null,
  from_ms     bigint  not null,
  to_ms       bigint  not null,
  state       text    not null check (state in ('done', 'failed')),
  attempts    integer not null default 1,
  -- Runs after the first finished one, because events turned up late.
  reruns      integer not null default 0,
  row_count   integer not null default 0,
  signals     integer not null default 0,
  occurrences integer not null default 0,
  events_seen bigint  not null default 0,
  error       text,
  started_ms  bigint  not null,
  finished_ms bigint,
  primary key (cluster_id, scope_id, workbook_id, from_ms),
  foreign key (cluster_id, scope_id, workbook_id) references rule on delete cascade,
  check (from_ms < to_ms)
);
create index rule_window_by_end on rule_window (cluster_id, to_ms);
select tyrian_secure('rule_window');
