-- Where events come in: sources with their tokens and senders, what was counted, and batches not yet acknowledged.

-- A source of a tenant: a token for HTTP, or the networks whose syslog it receives.
create table ingest_source (
  cluster_id   text not null references tenant on delete cascade,
  source_id    text not null,
  scope_id     text not null,
  source_name  text not null,
  kind         text not null check (kind in ('http', 'syslog')),
  -- The first characters of the token, enough to recognise it; the token itself is shown once and never kept.
  token_prefix text,
  networks     cidr[],
  created_by   text not null,
  created_ms   bigint not null,
  revoked_ms   bigint,
  primary key (cluster_id, source_id),
  foreign key (cluster_id, scope_id) references scope on delete cascade
);
create unique index ingest_source_name on ingest_source (cluster_id, scope_id, lower(source_name)) where revoked_ms is null;
select tyrian_secure('ingest_source');

-- What a source has received, by name of the count (received, stored, parse_error, ...).
create table ingest_counter (
  cluster_id text not null,
  source_id  text not null,
  name       text not null,
  value      bigint not null,
  updated_ms bigint not null,
  primary key (cluster_id, source_id, name),
  foreign key (cluster_id, source_id) references ingest_source on delete cascade
);
select tyrian_secure('ingest_counter');

-- The tables below belong to the platform: a sender's tenant is known only after they have been read.

-- Which tenant and scope a token writes to. Only its hash is kept.
create table ingest_token (
  token_hash bytea primary key,
  cluster_id text not null,
  source_id  text not null,
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
  reason       text not null,
  address      text not null,
  value        bigint not null,
  last_ms      bigint not null,
  primary key (reason, address)
);

-- Batches that were received and whose acknowledgement has not been delivered, and batches that their sender gave
-- a key. A batch that is sent again after a crash is recognised here.
create table ingest_batch (
  batch_hash   bytea not null,
  batch_id     text not null,
  -- open: being stored; free: not acknowledged, whoever gets it again takes it over; kept: answered, do not store again.
  state        text not null check (state in ('open', 'free', 'kept')),
  owner        text not null,
  content_hash bytea not null,
  received_ms  bigint not null,
  answer       jsonb,
  primary key (batch_hash, batch_id)
);
create index ingest_batch_owner on ingest_batch (owner) where state = 'open';
create index ingest_batch_age on ingest_batch (received_ms);

-- The processes that take batches in; one that has not been seen for a while is dead.
create table ingest_owner (
  owner      text primary key,
  seen_ms    bigint not null
);

revoke all on ingest_token, ingest_sender, ingest_refusal, ingest_batch, ingest_owner from tyrian_tenant;
