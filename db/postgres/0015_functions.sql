-- KQL functions that the queries of a tenant may name, with every version that there was.

create table kql_function (
  cluster_id  text        not null,
  name        text        not null,
  parameters  text        not null,
  body        text        not null,
  description text        not null,
  version     integer     not null,
  -- Given by a content manager, and changed by content managers alone.
  shared      boolean     not null default false,
  changed_by  text        not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  primary key (cluster_id, name)
);
-- Names of functions are told apart by case, but two that differ in nothing else would be mixed up.
create unique index kql_function_name on kql_function (cluster_id, lower(name));
select tyrian_secure('kql_function');

create table kql_function_version (
  cluster_id  text        not null,
  name        text        not null,
  version     integer     not null,
  parameters  text        not null,
  body        text        not null,
  description text        not null,
  changed_by  text        not null,
  updated_at  timestamptz not null,
  primary key (cluster_id, name, version),
  foreign key (cluster_id, name) references kql_function on delete cascade
);
select tyrian_secure('kql_function_version');
