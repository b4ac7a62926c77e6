-- What the processes that run queries want of the places of each queue. Nothing of it outlives its seconds.
create unlogged table query_share (
  process_id text        primary key,
  -- Queries that run or wait, by queue.
  wanted     jsonb       not null,
  renewed_at timestamptz not null
);
revoke all on query_share from tyrian_tenant;
