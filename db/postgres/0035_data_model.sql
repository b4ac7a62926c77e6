-- What tenants add to the data model: streams, and typed fields of streams; and what was asked to be added.

create table catalog_stream (
  cluster_id  text        not null,
  name        text        not null,
  description text        not null default '',
  added_by    text        not null,
  created_at  timestamptz not null,
  changed_by  text        not null,
  changed_at  timestamptz not null,
  primary key (cluster_id, name)
);
create unique index catalog_stream_name on catalog_stream (cluster_id, lower(name));
select tyrian_secure('catalog_stream');

-- The stream may be one that every tenant has.
create table catalog_field (
  cluster_id  text        not null,
  stream      text        not null,
  name        text        not null,
  type        text        not null,
  description text        not null default '',
  example     text        not null default '',
  aliases     text[]      not null default '{}',
  added_by    text        not null,
  created_at  timestamptz not null,
  changed_by  text        not null,
  changed_at  timestamptz not null,
  primary key (cluster_id, stream, name)
);
create unique index catalog_field_name on catalog_field (cluster_id, stream, lower(name));
select tyrian_secure('catalog_field');

create table catalog_request (
  cluster_id  text        not null,
  request_id  text        not null,
  -- Where whoever asks works: the answer is told there.
  scope_id    text        not null,
  stream      text        not null,
  -- Empty: the stream itself.
  field       text        not null default '',
  type        text        not null default 'string',
  description text        not null default '',
  example     text        not null default '',
  -- What needs it, such as the name of an extractor.
  source      text        not null default '',
  state       text        not null check (state in ('open', 'approved', 'refused')),
  reason      text        not null default '',
  asked_by    text        not null,
  asked_by_id text        not null,
  created_at  timestamptz not null,
  decided_by  text,
  decided_at  timestamptz,
  primary key (cluster_id, request_id)
);
create unique index catalog_request_open on catalog_request (cluster_id, lower(stream), lower(field)) where state = 'open';
create index catalog_request_by_time on catalog_request (cluster_id, created_at desc);
create index catalog_request_decided on catalog_request (decided_at) where decided_at is not null;
select tyrian_secure('catalog_request');
-- Upkeep removes decided ones over all tenants and asks for that by name.
create policy data_model_upkeep on catalog_request to current_user
  using (current_setting('tyrian.sweep', true) = 'data_model_upkeep');
