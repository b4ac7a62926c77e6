-- What rules would have raised over a range that is past. A preview is worked on rule by rule and day by day; what was found
-- stands after each day, so that it can be stopped and taken up again.

create table rule_preview (
  cluster_id text        not null,
  scope_id   text        not null,
  preview_id text        not null,
  kind       text        not null check (kind in ('preview', 'retro-hunt')),
  state      text        not null check (state in ('waiting', 'running', 'done', 'failed', 'canceled')),
  -- Of job_run: the one that works on it now or next.
  run_id     bigint,
  -- Time of arrival, half-open.
  from_at    timestamptz not null,
  until_at   timestamptz not null,
  -- Days of the range.
  parts      integer     not null,
  -- Why it failed, as a stored text.
  error      text,
  author     text        not null,
  author_id  text        not null,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at   timestamptz,
  primary key (cluster_id, scope_id, preview_id)
);
create index rule_preview_by_time on rule_preview (cluster_id, scope_id, created_at desc, preview_id);
create index rule_preview_open on rule_preview (cluster_id, scope_id) where ended_at is null;
create index rule_preview_age on rule_preview (created_at);
select tyrian_secure('rule_preview');
-- Upkeep removes old ones over all tenants and asks for that by name.
create policy rule_preview_upkeep on rule_preview to current_user
  using (current_setting('tyrian.sweep', true) = 'rule_preview_upkeep');

create table rule_preview_result (
  cluster_id text             not null,
  scope_id   text             not null,
  preview_id text             not null,
  position   integer          not null,
  rule_id    text             not null,
  title      text             not null,
  state      text             not null check (state in ('waiting', 'running', 'done', 'too-noisy', 'failed', 'canceled')),
  error      text,
  -- Hash of what the rule asks; when it differs, the rule is begun anew.
  asked      text             not null default '',
  kql        text             not null default '',
  parts_done integer          not null default 0,
  covered_at timestamptz      not null,
  row_count  bigint           not null default 0,
  signals    integer          not null default 0,
  -- Event time of the first and last row.
  first_at   timestamptz,
  last_at    timestamptz,
  -- Time that its queries took, and processor time of the engine for them.
  query_ms   double precision not null default 0,
  cpu_ms     double precision,
  -- {days, entities, found, samples, overlaps, overlapsCut}
  figures    jsonb            not null default '{}',
  -- What the next day needs of those before it; empty once the rule is done.
  carry      jsonb,
  primary key (cluster_id, scope_id, preview_id, position),
  foreign key (cluster_id, scope_id, preview_id) references rule_preview on delete cascade
);
create index rule_preview_result_by_rule on rule_preview_result (cluster_id, scope_id, rule_id);
select tyrian_secure('rule_preview_result');
