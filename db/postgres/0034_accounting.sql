-- What came in from each source and what became of it: accepted = stored + spooled + rejected with a reason, by minute for
-- two days, by hour for five weeks and by day for thirteen months. Written by the ingest role in batches.

create table ingest_account (
  cluster_id      text        not null,
  source_id       text        not null,
  span            text        not null check (span in ('minute', 'hour', 'day')),
  -- Begin of the minute, hour or day, UTC.
  from_at         timestamptz not null,
  -- Records that were taken in.
  accepted        bigint      not null default 0,
  -- Of them: in the event store when they were acknowledged, and on disk in the spool.
  stored          bigint      not null default 0,
  spooled         bigint      not null default 0,
  -- Of them: not kept; why stands in ingest_rejection.
  rejected        bigint      not null default 0,
  -- Of what is kept: no extractor knew it, or one could not read it.
  unparsed        bigint      not null default 0,
  -- Bytes of the records as they were sent.
  raw_bytes       bigint      not null default 0,
  -- Rows of days: the longest time without a record that ended on the day, in seconds.
  longest_pause_s integer     not null default 0,
  primary key (cluster_id, source_id, span, from_at),
  foreign key (cluster_id, source_id) references ingest_source on delete cascade
) with (fillfactor = 80);
create index ingest_account_age on ingest_account (span, from_at);
select tyrian_secure('ingest_account');
-- The ingest role writes the accounts of all tenants at once; jobs learn from them and remove old ones.
create policy ingest_account_sweep on ingest_account to current_user
  using (current_setting('tyrian.sweep', true) = 'ingest_account')
  with check (current_setting('tyrian.sweep', true) = 'ingest_account');

-- Why records were not kept, and whole requests that were refused (`refused_…`, counted as requests) before they were read.
create table ingest_rejection (
  cluster_id text        not null,
  source_id  text        not null,
  span       text        not null check (span in ('minute', 'hour', 'day')),
  from_at    timestamptz not null,
  reason     text        not null,
  value      bigint      not null,
  primary key (cluster_id, source_id, span, from_at, reason),
  foreign key (cluster_id, source_id) references ingest_source on delete cascade
);
create index ingest_rejection_age on ingest_rejection (span, from_at);
select tyrian_secure('ingest_rejection');
create policy ingest_account_sweep on ingest_rejection to current_user
  using (current_setting('tyrian.sweep', true) = 'ingest_account')
  with check (current_setting('tyrian.sweep', true) = 'ingest_account');

alter table ingest_source
  add column description text not null default '',
  -- When a record of it was taken in last.
  add column last_sent_at timestamptz,
  -- After how long without an event it counts as silent: as learned from its own pauses, and as somebody has set it. Null in
  -- both: an hour. 0 as set: never.
  add column silence_learned_s integer,
  add column silence_set_s integer,
  -- Whether people heard of the silence that goes on; only then do they hear of its end.
  add column silent_told boolean not null default false,
  -- Whether the last full hour was as usual.
  add column volume_state text not null default 'usual' check (volume_state in ('usual', 'high', 'low'));
create policy ingest_account_sweep on ingest_source to current_user
  using (current_setting('tyrian.sweep', true) = 'ingest_account')
  with check (current_setting('tyrian.sweep', true) = 'ingest_account');

-- Events that are not to be stored: of a stream, from one source of the scope or from all (empty).
create table drop_rule (
  cluster_id text        not null,
  scope_id   text        not null,
  rule_id    text        not null,
  stream     text        not null,
  source_id  text        not null default '',
  reason     text        not null,
  created_by text        not null,
  created_at timestamptz not null,
  primary key (cluster_id, scope_id, rule_id),
  foreign key (cluster_id, scope_id) references scope on delete cascade
);
create unique index drop_rule_once on drop_rule (cluster_id, scope_id, stream, source_id);
select tyrian_secure('drop_rule');

-- How many raw bytes of a day a tenant has subscribed to.
create table volume_subscription (
  cluster_id       text        primary key references tenant on delete cascade,
  subscribed_bytes bigint      not null check (subscribed_bytes > 0),
  changed_at       timestamptz not null,
  changed_by       text        not null
);
select tyrian_secure('volume_subscription');
