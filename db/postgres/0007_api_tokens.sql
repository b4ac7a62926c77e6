-- Tokens for programs. A platform table: whose token it is, is known only after it has been found.

create table api_token (
  token_id     text        primary key,
  cluster_id   text        not null references tenant on delete cascade,
  scope_id     text        not null,
  -- For whom it acts: never more than this person may.
  user_id      text        not null references person on delete cascade,
  created_by   text        not null,
  app_name     text        not null,
  description  text        not null,
  capabilities text[]      not null,
  -- Only a hash of the token is kept; the first characters are enough to recognise it.
  token_hash   bytea       not null unique,
  prefix       text        not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  last_used_at timestamptz,
  last_address text,
  foreign key (cluster_id, scope_id) references scope on delete cascade
);
create unique index api_token_name on api_token (cluster_id, scope_id, lower(app_name));
create index api_token_user on api_token (user_id);

revoke all on api_token from tyrian_tenant;
