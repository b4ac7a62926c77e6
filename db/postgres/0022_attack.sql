-- ATT&CK: the coverage of earlier days, layers of the Navigator to compare with, and the groups and campaigns that people
-- accepted for workbooks.

-- The state of each technique that has a rule, by scope and day. A day on which nothing changed is not written; days older
-- than two years go with the job `attack-snapshots`.
create table attack_day (
  cluster_id text    not null,
  scope_id   text    not null,
  day        date    not null,
  -- {"T1059": "on"}
  states     jsonb   not null,
  covered    integer not null,
  active     integer not null,
  total      integer not null,
  primary key (cluster_id, scope_id, day)
);
create index attack_day_by_age on attack_day (day);
select tyrian_secure('attack_day');

create table attack_layer (
  cluster_id     text        not null,
  scope_id       text        not null,
  layer_id       text        not null,
  name           text        not null,
  attack_version text        not null,
  -- [{technique, state, score}]
  marks          jsonb       not null,
  created_at     timestamptz not null,
  created_by     text        not null,
  primary key (cluster_id, scope_id, layer_id)
);
select tyrian_secure('attack_layer');

create table workbook_actor (
  cluster_id  text        not null,
  scope_id    text        not null,
  -- A workbook, or a rule of a pack; what is accepted outlives it, as signals do.
  workbook_id text        not null,
  actor_id    text        not null,
  accepted_at timestamptz not null,
  accepted_by text        not null,
  primary key (cluster_id, scope_id, workbook_id, actor_id)
);
select tyrian_secure('workbook_actor');

-- See all_events in 0001_platform.sql.
create policy attack_upkeep on attack_day to current_user
  using (current_setting('tyrian.sweep', true) = 'attack_upkeep');

-- Cases that were true positives, the newest first: what proves a rule.
create index incident_case_true on incident_case (cluster_id, scope_id, closed_at desc)
  where resolution = 'true_positive';
