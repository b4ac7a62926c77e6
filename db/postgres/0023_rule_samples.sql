-- Samples of rules: events that a rule has to find, and events that it must not, with what the last run of them gave.
-- Those of a workbook are a part of its draft; those of a rule of a pack stand here.

alter table workbook add column samples jsonb not null default '[]';
alter table workbook alter column samples set storage external;

-- One row for each rule of a pack or workbook that has samples.
create table rule_samples (
  cluster_id   text        not null,
  rule_id      text        not null,
  -- Of a rule of a pack: [{name, expect, events, origin}]; of a workbook empty.
  samples      jsonb       not null default '[]',
  -- Of what the rule asks and of its samples, as they are now and as they were when they ran.
  content_hash text        not null,
  tested_hash  text,
  passed       boolean,
  -- [{name, expect, matched, passed, problem}]
  results      jsonb       not null default '[]',
  tested_at    timestamptz,
  revision     integer     not null default 1,
  changed_at   timestamptz not null,
  changed_by   text        not null,
  -- A rule of a pack takes its samples along; a workbook is deleted by its feature.
  pack_rule_id text        generated always as (case when rule_id like 'sigma-%' then rule_id end) stored,
  primary key (cluster_id, rule_id),
  foreign key (cluster_id, pack_rule_id) references pack_rule (cluster_id, rule_id) on delete cascade
) with (toast_tuple_target = 256);
alter table rule_samples alter column samples set storage external;
alter table rule_samples alter column results set storage external;
create index rule_samples_of_pack_rule on rule_samples (cluster_id, pack_rule_id) where pack_rule_id is not null;
select tyrian_secure('rule_samples');

-- What a tenant asks of samples.
create table sample_policy (
  cluster_id         text        primary key,
  -- Only rules whose samples pass may be set to the stage PROD.
  prod_needs_samples boolean     not null,
  changed_at         timestamptz not null,
  changed_by         text        not null
);
select tyrian_secure('sample_policy');

-- The detections of Tyrian are the same for all tenants: their samples run once for the whole installation.
create table shipped_sample_run (
  rule_id      text        primary key,
  content_hash text        not null,
  passed       boolean     not null,
  results      jsonb       not null,
  tested_at    timestamptz not null
);
revoke all on shipped_sample_run from tyrian_tenant;
grant select on shipped_sample_run to tyrian_tenant;
