-- Texts that people keep in Find: queries to open again, snippets to put into other queries.

create table saved_query (
  cluster_id  text    not null,
  id          text    not null,
  scope_id    text    not null,
  owner_id    text    not null,
  owner_name  text    not null,
  kind        text    not null check (kind in ('query', 'snippet')),
  name        text    not null,
  description text    not null default '',
  folder      text    not null default '',
  tags        text[]  not null default '{}',
  body        text    not null,
  -- Both null: the query opens with the range that is chosen then.
  range_from  text,
  range_to    text,
  shared      boolean not null default false,
  version     integer not null default 1,
  created_ms  bigint  not null,
  updated_ms  bigint  not null,
  -- A deleted entry can be brought back for a day.
  deleted_ms  bigint,
  primary key (cluster_id, id)
);
-- Nobody has two entries of one name in a scope; what is deleted does not count.
create unique index saved_query_name on saved_query (cluster_id, scope_id, owner_id, kind, lower(name))
  where deleted_ms is null;
create index saved_query_of_scope on saved_query (cluster_id, scope_id, kind);
select tyrian_secure('saved_query');
