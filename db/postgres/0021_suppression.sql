-- Suppression: signals whose suspects and targets are known to be harmless stay out of the queue. They are kept here for
-- thirty days, where they can be seen and put back.

create table suppression_rule (
  cluster_id    text        not null,
  scope_id      text        not null,
  rule_id       text        not null,
  -- A workbook, or a rule of a pack.
  workbook_id   text        not null,
  workbook_name text        not null,
  conditions    jsonb       not null,
  reason        text        not null,
  enabled       boolean     not null,
  -- Null: never.
  expires_at    timestamptz,
  revision      integer     not null default 1,
  created_at    timestamptz not null,
  created_by    text        not null,
  changed_at    timestamptz not null,
  changed_by    text        not null,
  primary key (cluster_id, scope_id, rule_id)
);
create index suppression_rule_by_workbook on suppression_rule (cluster_id, scope_id, workbook_id) where enabled;
select tyrian_secure('suppression_rule');

-- How often a rule suppressed something, by day; days older than thirty go with the job `suppression-upkeep`.
create table suppression_hits (
  cluster_id text        not null,
  scope_id   text        not null,
  rule_id    text        not null,
  day        date        not null,
  hits       integer     not null,
  last_at    timestamptz not null,
  primary key (cluster_id, scope_id, rule_id, day),
  foreign key (cluster_id, scope_id, rule_id) references suppression_rule on delete cascade
);
create index suppression_hits_by_day on suppression_hits (day);
select tyrian_secure('suppression_hits');

-- What was suppressed: the finding, its occurrence, and the rule that found it, as the queue would have got them. Rows older
-- than thirty days go with the job `suppression-upkeep`. They outlive the suppression rule.
create table suppressed_occurrence (
  cluster_id    text        not null,
  scope_id      text        not null,
  occurrence_id text        not null,
  rule_id       text        not null,
  reason        text        not null,
  workbook_id   text        not null,
  workbook_name text        not null,
  -- The rule that found it, as signals remember it.
  found_by      jsonb       not null,
  occurrence    jsonb       not null,
  first_at      timestamptz not null,
  last_at       timestamptz not null,
  suppressed_at timestamptz not null,
  primary key (cluster_id, scope_id, occurrence_id)
);
create index suppressed_occurrence_by_time on suppressed_occurrence (cluster_id, scope_id, last_at desc, occurrence_id);
create index suppressed_occurrence_by_rule on suppressed_occurrence (cluster_id, scope_id, rule_id, last_at desc);
create index suppressed_occurrence_by_age on suppressed_occurrence (suppressed_at);
select tyrian_secure('suppressed_occurrence');

-- See all_events in 0001_platform.sql.
create policy suppression_upkeep on suppression_hits to current_user
  using (current_setting('tyrian.sweep', true) = 'suppression_upkeep');
create policy suppression_upkeep on suppressed_occurrence to current_user
  using (current_setting('tyrian.sweep', true) = 'suppression_upkeep');
