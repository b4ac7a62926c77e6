-- The demo company, when there is one: what was made for it, and how far its events are written.
create table demo (
  -- There is one demo on a platform.
  only_one     boolean     primary key default true check (only_one),
  -- The record of the demo stands before anything of it does, so that what a crash leaves behind is known.
  state        text        not null check (state in ('making', 'filling', 'ready', 'removing')),
  org_id       text,
  -- [{clusterId, scopes: [{scopeId, sources: {name: id}}]}] in the order of the plan of the demo.
  places       jsonb       not null default '[]',
  seed         integer     not null,
  created_at   timestamptz not null,
  -- Steps of the history that are written.
  filled_steps integer     not null default 0,
  events       bigint      not null default 0,
  -- The live flow is written up to here.
  live_until   timestamptz not null,
  -- The story that is being told live, and when it began.
  story        integer     not null default 0,
  story_at     timestamptz not null,
  -- Whoever holds the lease writes.
  lease_owner  text,
  lease_until  timestamptz not null default 'epoch'
);
