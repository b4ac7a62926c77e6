-- Detections: the state of every rule (a workbook in a scope), the ledger of the windows it has evaluated, and the queue
-- of what is due. Rules of a scope with the same schedule move on together: a group holds how far they have come. A rule
-- that keeps step with its group stores no progress of its own; one that is new, behind, failing or needs no events stands
-- alone until it has caught up. Work is claimed by due time over all tenants.

create table rule_group (
  cluster_id    text        not null,
  scope_id      text        not null,
  -- `streamed`, or the cron expression with its zone.
  schedule      text        not null,
  -- Rules that keep step are covered up to here; rules that stand alone never go beyond.
  covered_until timestamptz not null,
  -- End of the next window.
  due_at        timestamptz not null,
  windows_done  bigint      not null default 0,
  last_run_at   timestamptz,
  lease_owner   text,
  -- Held until then; once free, the time of the last turn, so that those who waited longest go first.
  lease_until   timestamptz not null default 'epoch',
  primary key (cluster_id, scope_id, schedule)
);
create index rule_group_due on rule_group (due_at);
select tyrian_secure('rule_group');

create table rule (
  cluster_id        text        not null,
  scope_id          text        not null,
  workbook_id       text        not null,
  enabled           boolean     not null default false,
  -- Ingest time from which the rule is covered; null while it does not run.
  covered_from      timestamptz,
  -- All of [covered_from, covered_until) has been evaluated.
  covered_until     timestamptz,
  -- Windows that the next evaluation may take in one go while it is behind.
  span              integer     not null default 1440,
  failures_in_a_row integer     not null default 0,
  retry_at          timestamptz not null default 'epoch',
  last_error        text,
  -- End of the next window; a rule is due when the watermark has passed it.
  due_at            timestamptz not null default 'epoch',
  windows_done      bigint      not null default 0,
  windows_rerun     bigint      not null default 0,
  rows_total        bigint      not null default 0,
  signals_total     bigint      not null default 0,
  last_run_at       timestamptz,
  last_duration_ms  integer,
  -- Windows in which events turned up after they were evaluated: [{from, to}].
  late              jsonb       not null default '[]',
  lease_owner       text,
  lease_until       timestamptz not null default 'epoch',
  -- Null while it does not run.
  schedule          text,
  -- Covered as far as its group: what lies between covered_until and there was moved on together and found nothing.
  keeps_step        boolean     not null default false,
  -- Without events there is nothing to find; null while nobody has read the query.
  needs_events      boolean,
  -- Windows of the group when the rule began to keep step.
  group_windows     bigint      not null default 0,
  -- Switched on then: whether earlier windows hold events is asked of the event store.
  enabled_at        timestamptz not null default 'epoch',
  primary key (cluster_id, scope_id, workbook_id),
  foreign key (cluster_id, workbook_id) references workbook on delete cascade,
  constraint rule_in_group foreign key (cluster_id, scope_id, schedule) references rule_group
);
create index rule_alone on rule (due_at) where covered_from is not null and (not keeps_step or late <> '[]');
create index rule_by_group on rule (cluster_id, scope_id, schedule) where covered_from is not null;
select tyrian_secure('rule');

-- Half-open in ingest time. Finished windows of a rule never overlap.
create table rule_window (
  cluster_id  text        not null,
  scope_id    text        not null,
  workbook_id text        not null,
  range_from  timestamptz not null,
  range_to    timestamptz not null,
  state       text        not null check (state in ('done', 'failed')),
  attempts    integer     not null default 1,
  -- Runs after the first finished one, because events turned up late.
  reruns      integer     not null default 0,
  row_count   integer     not null default 0,
  signals     integer     not null default 0,
  occurrences integer     not null default 0,
  events_seen bigint      not null default 0,
  error       text,
  started_at  timestamptz not null,
  finished_at timestamptz,
  primary key (cluster_id, scope_id, workbook_id, range_from),
  foreign key (cluster_id, scope_id, workbook_id) references rule on delete cascade,
  check (range_from < range_to)
);
-- Old windows are deleted over all tenants.
create index rule_window_age on rule_window (range_to);
select tyrian_secure('rule_window');

-- Stretches of ingest time in which a scope may have received events. Written before the events are, so that a scope
-- without a mark in a stretch has no event there, whatever was killed meanwhile.
create table arrival_mark (
  cluster_id text        not null,
  scope_id   text        not null,
  range_from timestamptz not null,
  range_to   timestamptz not null,
  primary key (cluster_id, scope_id, range_from)
);
create index arrival_mark_end on arrival_mark (range_to);
select tyrian_secure('arrival_mark');

-- Events of each stream that a minute of ingest time held when it was first evaluated. One that holds more later is
-- evaluated again.
create table evaluated_minute (
  cluster_id   text        not null,
  scope_id     text        not null,
  minute_start timestamptz not null,
  -- Stream to number of events.
  seen         jsonb       not null,
  primary key (cluster_id, scope_id, minute_start)
);
create index evaluated_minute_age on evaluated_minute (minute_start);
select tyrian_secure('evaluated_minute');

-- The scheduler claims over all tenants in one statement, which it asks for by name. Transactions of tenants run as
-- another role and never see these policies.
do $$
declare
  name text;
begin
  foreach name in array array['rule_group', 'rule', 'rule_window', 'arrival_mark', 'evaluated_minute'] loop
    execute format(
      'create policy detections on %I to current_user using (current_setting(''tyrian.sweep'', true) = ''detections'') '
      'with check (current_setting(''tyrian.sweep'', true) = ''detections'')', name);
  end loop;
end $$;
