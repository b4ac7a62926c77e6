-- Where events come in: sources with their tokens and senders, what was counted, and batches not yet acknowledged.

-- A source of a tenant: a token for HTTP, or the networks whose syslog it receives.
create table ingest_source (
  cluster_id   text        not null references tenant on delete cascade,
  source_id    text        not null,
  scope_id     text        not null,
  source_name  text        not null,
  kind         text        not null check (kind in ('http', 'syslog')),
  -- The first characters of the token, enough to recognise it; the token itself is shown once and never kept.
  token_prefix text,
  networks     cidr[],
  created_by   text        not null,
  created_at   timestamptz not null,
  revoked_at   timestamptz,
  certificates text[],
  -- Why a source, or a part of it, receives nothing although nobody revoked it.
  notice       text,
  -- A source that stopped sending is told of once: set when it went silent, cleared when it sends again.
  silent_since timestamptz,
  primary key (cluster_id, source_id),
  foreign key (cluster_id, scope_id) references scope on delete cascade
);
create unique index ingest_source_name on ingest_source (cluster_id, scope_id, lower(source_name)) where revoked_at is null;
select tyrian_secure('ingest_source');
create policy silent_sources on ingest_source to current_user
  using (current_setting('tyrian.sweep', true) = 'silent_sources')
  with check (current_setting('tyrian.sweep', true) = 'silent_sources');

-- What a source has received, by name of the count (received, stored, parse_error, ...).
create table ingest_counter (
  cluster_id text        not null,
  source_id  text        not null,
  name       text        not null,
  value      bigint      not null,
  updated_at timestamptz not null,
  primary key (cluster_id, source_id, name),
  foreign key (cluster_id, source_id) references ingest_source on delete cascade
);
select tyrian_secure('ingest_counter');
create policy silent_sources on ingest_counter for select to current_user
  using (current_setting('tyrian.sweep', true) = 'silent_sources');

-- The tables below belong to the platform: a sender's tenant is known only after they have been read.

-- Which tenant and scope a token writes to. Only its hash is kept.
create table ingest_token (
  token_hash bytea primary key,
  cluster_id text  not null,
  source_id  text  not null,
  foreign key (cluster_id, source_id) references ingest_source on delete cascade
);

-- Which source the syslog of a network belongs to; a network belongs to one source of the platform.
create table ingest_sender (
  network    cidr primary key,
  cluster_id text not null,
  source_id  text not null,
  foreign key (cluster_id, source_id) references ingest_source on delete cascade
);

-- What was refused before a source was known: wrong tokens, datagrams of unknown senders.
create table ingest_refusal (
  reason  text        not null,
  address text        not null,
  value   bigint      not null,
  last_at timestamptz not null,
  primary key (reason, address)
);
-- Refusals are pruned by age.
create index ingest_refusal_age on ingest_refusal (last_at);

-- Batches that were received and whose acknowledgement has not been delivered, and batches that their sender gave
-- a key. A batch that is sent again after a crash is recognised here.
create table ingest_batch (
  batch_hash   bytea       not null,
  batch_id     text        not null,
  -- open: being stored; free: not acknowledged, whoever gets it again takes it over; kept: answered, do not store again.
  state        text        not null check (state in ('open', 'free', 'kept')),
  owner        text        not null,
  content_hash bytea       not null,
  received_at  timestamptz not null,
  answer       jsonb,
  primary key (batch_hash, batch_id)
);
create index ingest_batch_owner on ingest_batch (owner) where state = 'open';
create index ingest_batch_age on ingest_batch (received_at);

-- The processes that take batches in; one that has not been seen for a while is dead.
create table ingest_owner (
  owner   text        primary key,
  seen_at timestamptz not null
);

-- Who may claim the syslog of which senders. Root gives networks and names of client certificates to tenants; a source
-- names only what its tenant has. No two grants overlap, in either direction, so that a longer prefix takes nobody's logs.

create table syslog_grant (
  grant_id    text        primary key,
  cluster_id  text        not null references tenant on delete cascade,
  network     cidr,
  -- SHA-256 of a client certificate in hexadecimal, or the common name of its subject, in lower case.
  certificate text,
  created_by  text        not null,
  created_at  timestamptz not null,
  check ((network is null) <> (certificate is null)),
  constraint syslog_grant_network exclude using gist (network inet_ops with &&)
);
create unique index syslog_grant_certificate on syslog_grant (certificate);
create index syslog_grant_cluster on syslog_grant (cluster_id);

-- Which source the messages of a client certificate belong to.
create table ingest_certificate (
  certificate text primary key,
  cluster_id  text not null,
  source_id   text not null,
  foreign key (cluster_id, source_id) references ingest_source on delete cascade
);
create index ingest_certificate_source on ingest_certificate (cluster_id, source_id);

revoke all on ingest_token, ingest_sender, ingest_refusal, ingest_batch, ingest_owner, syslog_grant, ingest_certificate
  from tyrian_tenant;
