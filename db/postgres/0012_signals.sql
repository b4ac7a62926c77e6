-- Signals: what detections raised, who and what they name, and the occurrences that each stands for.

create table signal (
  cluster_id     text        not null,
  signal_id      text        not null,
  scope_id       text        not null,
  workbook_id    text        not null,
  workbook_name  text        not null,
  version        integer     not null,
  -- Hash of workbook, name, suspects and targets: equal findings coalesce.
  finding_key    text        not null,
  name           text        not null,
  stream         text        not null,
  stage          text        not null,
  tactic         text        not null,
  technique      text        not null,
  sub_technique  text        not null,
  score          integer     not null,
  confidence     text        not null,
  suspects       jsonb       not null,
  targets        jsonb       not null,
  tags           text[]      not null default '{}',
  first_at       timestamptz not null,
  last_at        timestamptz not null,
  created_at     timestamptz not null,
  occurrences    integer     not null,
  ttd_seconds    integer,
  false_positive boolean     not null default false,
  case_ids       text[]      not null default '{}',
  -- When it left the pending view; null while pending.
  triaged_at     timestamptz,
  primary key (cluster_id, signal_id)
);
create index signal_by_time on signal (cluster_id, scope_id, last_at desc);
create index signal_by_finding on signal (cluster_id, scope_id, finding_key, last_at desc);
create index signal_by_workbook on signal (cluster_id, workbook_id, last_at desc);
select tyrian_secure('signal');
-- See all_events in 0001_platform.sql.
create policy signal_limits on signal for select to current_user
  using (current_setting('tyrian.sweep', true) = 'signal_limits');

create table signal_entity (
  cluster_id text not null,
  signal_id  text not null,
  role       text not null check (role in ('suspect', 'target')),
  type       text not null,
  value      text not null,
  primary key (cluster_id, signal_id, role, type, value),
  foreign key (cluster_id, signal_id) references signal on delete cascade
);
create index signal_entity_by_value on signal_entity (cluster_id, value);
select tyrian_secure('signal_entity');

-- One finding of one evaluated window (or of one time bucket of a counting rule). Its id does not depend on
-- when or how often the window ran, so that a repeated run changes nothing.
create table signal_occurrence (
  cluster_id    text        not null,
  scope_id      text        not null,
  occurrence_id text        not null,
  signal_id     text        not null,
  row_count     integer     not null,
  first_at      timestamptz not null,
  last_at       timestamptz not null,
  event_uids    text[]      not null default '{}',
  -- Contributing events beyond the ids that are kept.
  more_events   integer     not null default 0,
  fields        jsonb       not null default '{}',
  primary key (cluster_id, scope_id, occurrence_id),
  foreign key (cluster_id, signal_id) references signal on delete cascade
);
create index signal_occurrence_by_signal on signal_occurrence (cluster_id, signal_id, first_at);
select tyrian_secure('signal_occurrence');

create table signal_history (
  cluster_id text        not null,
  signal_id  text        not null,
  entry_id   bigint      generated always as identity,
  created_at timestamptz not null,
  author     text        not null,
  action     text        not null,
  detail     text        not null default '',
  primary key (cluster_id, entry_id),
  foreign key (cluster_id, signal_id) references signal on delete cascade
);
create index signal_history_by_signal on signal_history (cluster_id, signal_id, entry_id);
select tyrian_secure('signal_history');

create table signal_tag (
  cluster_id text        not null,
  scope_id   text        not null,
  tag        text        not null,
  colour     text        not null,
  created_by text        not null,
  created_at timestamptz not null,
  primary key (cluster_id, scope_id, tag)
);
select tyrian_secure('signal_tag');

-- Rows still to be written to the stream Signals. They are put into a batch before they are sent; the batch id
-- is the deduplication token, so that a batch sent twice is stored once.
create table signal_outbox (
  cluster_id text  not null,
  signal_id  text  not null,
  batch_id   text,
  event      jsonb not null,
  primary key (cluster_id, signal_id)
);
select tyrian_secure('signal_outbox');
-- See the policies of 0011_detections.sql.
create policy detections on signal_outbox to current_user
  using (current_setting('tyrian.sweep', true) = 'detections')
  with check (current_setting('tyrian.sweep', true) = 'detections');

create table signal_facet_task (
  cluster_id text        not null,
  task_id    text        not null,
  scope_id   text        not null,
  user_id    text        not null,
  selection  jsonb       not null,
  asked_at   timestamptz not null,
  primary key (cluster_id, task_id)
);
select tyrian_secure('signal_facet_task');
