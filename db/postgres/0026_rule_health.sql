-- What rules cost, rules that are set aside, and requests to tune a rule.

alter table rule
  -- Failures of its own in a row; a store that is silent is none.
  add column strikes integer not null default 0,
  -- Set aside then: it is not run until somebody releases or changes it. Null: it runs.
  add column quarantined_at timestamptz,
  -- Why, as a stored text.
  add column quarantine_reason text,
  -- What it cost before is not held against it.
  add column cost_counts_from timestamptz not null default 'epoch';

-- Runs of rules by hour, added up by the processes that run them and written once a minute. Hours older than eight days go
-- with the windows of the ledger. An empty workbook_id stands for the queries that look for many rules at once.
create table rule_hour (
  cluster_id  text             not null,
  scope_id    text             not null,
  workbook_id text             not null,
  hour        timestamptz      not null,
  runs        integer          not null,
  failures    integer          not null,
  reruns      integer          not null,
  row_count   bigint           not null,
  -- Time that its queries took, and processor time of the engine for them.
  query_ms    double precision not null,
  cpu_ms      double precision not null,
  primary key (cluster_id, scope_id, workbook_id, hour)
);
create index rule_hour_age on rule_hour (hour);
select tyrian_secure('rule_hour');
-- See the policies of 0011_detections.sql.
create policy detections on rule_hour to current_user
  using (current_setting('tyrian.sweep', true) = 'detections')
  with check (current_setting('tyrian.sweep', true) = 'detections');

-- Somebody says that a rule needs tuning. Closed ones go a year after that with the job `rule-health-upkeep`.
create table rule_tuning (
  cluster_id    text        not null,
  scope_id      text        not null,
  request_id    text        not null,
  -- A workbook, or a rule of a pack.
  workbook_id   text        not null,
  workbook_name text        not null,
  -- The signal that showed it; null: the rule as such.
  signal_id     text,
  comment       text        not null,
  asked_at      timestamptz not null,
  asked_by      text        not null,
  asked_by_id   text        not null,
  -- Null while it is open.
  resolved_at   timestamptz,
  resolved_by   text,
  resolution    text        not null default '',
  primary key (cluster_id, scope_id, request_id)
);
create index rule_tuning_by_time on rule_tuning (cluster_id, scope_id, asked_at desc);
create index rule_tuning_open on rule_tuning (cluster_id, scope_id, workbook_id) where resolved_at is null;
create index rule_tuning_age on rule_tuning (resolved_at) where resolved_at is not null;
select tyrian_secure('rule_tuning');
create policy rule_health_upkeep on rule_tuning to current_user
  using (current_setting('tyrian.sweep', true) = 'rule_health_upkeep');

-- Which kinds there are is what the contract says.
alter table notification drop constraint notification_kind_check;
