-- How people like the console, and the filters they keep for its lists. They follow their user from browser to
-- browser. These tables belong to the platform: a preference holds in every tenant.

create table user_preference (
  user_id  text        primary key references person on delete cascade,
  -- theme, time_zone, density, shortcuts, tables; what is absent is as it comes.
  settings jsonb       not null default '{}',
  saved_at timestamptz not null
);

create table saved_view (
  view_id    text        primary key,
  user_id    text        not null references person on delete cascade,
  -- The tenant whose list it is; null for lists of the platform.
  cluster_id text        references tenant on delete cascade,
  page       text        not null,
  name       text        not null,
  -- The query of the link, e.g. `status=OPEN&sort=created.desc`.
  query      text        not null,
  created_at timestamptz not null
);
-- Nobody has two views of one name on a page.
create unique index saved_view_name on saved_view (user_id, coalesce(cluster_id, ''), page, lower(name));

revoke all on user_preference, saved_view from tyrian_tenant;
