-- The due queue of detections. Rules of a scope with the same schedule move on together: a group holds how far they have
-- come. A rule that keeps step with its group stores no progress of its own; one that is new, behind, failing or needs no
-- events stands alone until it has caught up. Work is claimed by due time over all tenants.

create table rule_group (
  cluster_id       text   not null,
  scope_id         text   not null,
  -- `streamed`, or the cron expression with its zone.
  schedule         text   not null,
  -- Rules that keep step are covered up to here; rules that stand alone never go beyond.
  covered_until_ms bigint not null,
  -- End of the next window.
  due_ms           bigint not null,
  windows_done     bigint not null default 0,
  last_run_ms      bigint,
  lease_owner      text,
  -- Held until then; once free, the time of the last turn, so that those who waited longest go first.
  lease_until_ms   bigint not null default 0,
  primary key (cluster_id, scope_id, schedule)
);
create index rule_group_due on rule_group (due_ms);
select tyrian_secure('rule_group');

alter table rule
  -- Null while it does not run.
  add column schedule text,
  -- Covered as far as its group: what lies between covered_until_ms and there was moved on together and found nothing.
  add column keeps_step boolean not null default false,
  -- Without events there is nothing to find; null while nobody has read the query.
  add column needs_events boolean,
  -- Windows of the group when the rule began to keep step.
  add column group_windows bigint not null default 0,
  -- Switched on then: whether earlier windows hold events is asked of the event store.
  add column enabled_ms bigint not null default 0,
  add constraint rule_in_group foreign key (cluster_id, scope_id, schedule) references rule_group;
drop index rule_due;
create index rule_alone on rule (due_ms) where covered_from_ms is not null and (not keeps_step or late <> '[]');
create index rule_by_group on rule (cluster_id, scope_id, schedule) where covered_from_ms is not null;

-- Old windows are deleted over all tenants.
drop index rule_window_by_end;
create index rule_window_age on rule_window (to_ms);

-- Stretches of ingest time in which a scope may have received events. Written before the events are, so that a scope
-- without a mark in a stretch has no event there, whatever was killed meanwhile.
create table arrival_mark (
  cluster_id text   not null,
  scope_id   text   not null,
  from_ms    bigint not null,
  until_ms   bigint not null,
  primary key (cluster_id, scope_id, from_ms)
);
create index arrival_mark_end on arrival_mark (until_ms);
select tyrian_secure('arrival_mark');

-- Events of each stream that a minute of ingest time held when it was first evaluated. One that holds more later is
-- evaluated again.
create table evaluated_minute (
  cluster_id text   not null,
  scope_id   text   not null,
  minute_ms  bigint not null,
  -- Stream to number of events.
  seen       jsonb  not null,
  primary key (cluster_id, scope_id, minute_ms)
);
create index evaluated_minute_age on evaluated_minute (minute_ms);
select tyrian_secure('evaluated_minute');

-- The scheduler claims over all tenants in one statement, which it asks for by name. Transactions of tenants run as
-- another role and never see these policies.
do $$
declare
  name text;
begin
  foreach name in array array['rule_group', 'rule', 'rule_window', 'arrival_mark', 'evaluated_minute', 'signal_outbox'] loop
    execute format(
      'create policy detections on %I to current_user using (current_setting(''tyrian.sweep'', true) = ''detections'') '
      'with check (current_setting(''tyrian.sweep'', true) = ''detections'')', name);
  end loop;
end $$;
